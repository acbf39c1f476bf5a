import { verifyAudit } from '../features/audit/audit.service.ts'
import type { CommandContext } from './command.ts'
import { withStore } from './store.ts'

/** `./panel audit verify`: whether every entry of the audit log follows from the one before it. */
export async function audit({ args, env }: CommandContext): Promise<void> {
  if (args.length !== 1 || args[0] !== 'verify') throw new Error('Usage: ./panel audit verify')
  const { count, last, brokenAt } = await withStore(env, verifyAudit)
  const seen = `${count} entries; the last is number ${last.id} with the hash ${last.hash || '–'}`
  if (brokenAt !== undefined) {
    throw new Error(
      `The audit log was changed: entry ${brokenAt} does not follow from the one before it. Before it: ${seen}`
    )
  }
  process.stdout.write(`The audit log is whole: ${seen}\n`)
}
