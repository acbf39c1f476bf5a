import { type AuditVerdict, verifyAudit } from '../features/audit/verification.service.ts'
import { createGzipLineArchive } from '../infra/line-archive/gzip-line-archive.ts'
import { auditArchiveDirectory } from '../process/paths.ts'
import type { CommandContext } from './command.ts'
import { withStore } from './store.ts'

/** `./panel audit verify`: whether every entry of the audit log follows from the one before it, in the archives and in the store. */
export async function audit({ args, env }: CommandContext): Promise<void> {
  if (args.length !== 1 || args[0] !== 'verify') throw new Error('Usage: ./panel audit verify')
  const verdict = await withStore(env, (store) =>
    verifyAudit({ ...store, auditArchive: createGzipLineArchive({ directory: auditArchiveDirectory(store.config) }) })
  )
  const { archives, brokenAt } = verdict
  if (archives.problem !== undefined)
    throw new Error(`The audit log was changed: ${archives.problem}. ${seen(verdict)}`)
  if (brokenAt !== undefined) {
    throw new Error(
      `The audit log was changed: entry ${brokenAt} does not follow from the one before it. Before it: ${seen(verdict)}`
    )
  }
  process.stdout.write(`The audit log is whole: ${seen(verdict)}\n`)
  for (const name of archives.missing) process.stdout.write(`Not read, as it is not there: audit-archive/${name}\n`)
}

function seen({ archives, count, last }: AuditVerdict): string {
  const archived = archives.count === 0 ? '' : `${archives.count} archived entries and `
  return `${archived}${count} entries; the last is number ${last.id} with the hash ${last.hash || '–'}`
}
