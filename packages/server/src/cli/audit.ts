import { type AuditVerdict, verifyAudit } from '../features/audit/verification.service.ts'
import { createGzipLineArchive } from '../infra/line-archive/gzip-line-archive.ts'
import { auditArchiveDirectory } from '../process/paths.ts'
import type { CommandContext } from './command.ts'
import { withStore } from './store.ts'

/** `./panel audit verify`: verifies the hash chain of the audit log, in the archives and in the database. */
export async function audit({ args, env }: CommandContext): Promise<void> {
  if (args.length !== 1 || args[0] !== 'verify') throw new Error('Usage: ./panel audit verify')
  const verdict = await withStore(env, (store) =>
    verifyAudit({ ...store, auditArchive: createGzipLineArchive({ directory: auditArchiveDirectory(store.config) }) })
  )
  const { archives, brokenAt } = verdict
  if (archives.problem !== undefined)
    throw new Error(`The audit log was modified: ${archives.problem}. ${seen(verdict)}`)
  if (brokenAt !== undefined) {
    throw new Error(
      `The audit log was modified: the hash chain breaks at entry ${brokenAt}. Verified before it: ${seen(verdict)}`
    )
  }
  process.stdout.write(`The audit log is intact: ${seen(verdict)}\n`)
  for (const name of archives.missing) process.stdout.write(`Archive missing, not verified: audit-archive/${name}\n`)
}

function seen({ archives, count, last }: AuditVerdict): string {
  const archived = archives.count === 0 ? '' : `${archives.count} archived entries and `
  return `${archived}${count} entries; last entry ${last.id}, hash ${last.hash || '–'}`
}
