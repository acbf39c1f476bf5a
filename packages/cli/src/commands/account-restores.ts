import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, type SignedInCall, step } from '../context.ts'
import { allPages } from '../projects.ts'
import { table } from '../table.ts'
import { withRetries } from '../with-retries.ts'

type AccountRestore = Schema<'AccountRestore'>

const pollEveryMs = 2_000

/** Without --start it changes nothing. For administrators. */
export const restoreAccount: Command = {
  name: 'backups restore-account',
  about: 'preview the restore of an account from a backup of the panel; with --start, restore it',
  args: '<email>',
  options: [
    ['--backup <id>', 'a backup of the panel; by default the latest good one'],
    ['--skip <keys>', 'keys of the preview that are not restored, separated by commas'],
    ['--start', 'start the restore after the preview']
  ],
  example: 'backups restore-account ann@example.com --start',
  async run(call) {
    const { client, args, options, print } = call
    const email = args[0]!
    const backupId = typeof options.backup === 'string' ? options.backup : await latestPanelBackup(client)
    const planned = await unwrap(client.POST('/api/backups/account-restores', { body: { backupId, email } }))
    step(call, `Reading the backup from ${planned.backupTakenAt}`)
    const preview = await waitFor(call, planned.id, ({ status }) => status !== 'PLANNING')
    if (preview.status === 'FAILED') throw new CommandError(preview.problem ?? 'The backup could not be read')
    if (options.start !== true) {
      print(preview, itemsOf(preview))
      return call.next(`backups restore-account ${email} --backup ${backupId} --start`)
    }
    const skip = typeof options.skip === 'string' ? options.skip.split(',') : []
    const params = { path: { id: planned.id } }
    await unwrap(client.POST('/api/backups/account-restores/{id}/start', { params, body: { skip } }))
    step(call, `Restore ${planned.id}`)
    const ended = await waitFor(call, planned.id, ({ endedAt }) => endedAt !== null)
    print(ended, itemsOf(ended))
    if (ended.status === 'FAILED') throw new CommandError(ended.problem ?? 'The restore failed')
  }
}

const itemsOf = ({ items }: AccountRestore): string =>
  table(
    ['KEY', 'NAME', 'CHANGE', 'REASON', 'BACKUP FROM', 'STATUS', 'PROBLEM'],
    items.map(({ key, name, change, reason, takenAt, status, problem }) => [
      ...[key, name, change, reason, takenAt, status, problem]
    ])
  )

async function latestPanelBackup(client: Client): Promise<string> {
  const all = await allPages(async (page) => {
    const list = await unwrap(client.GET('/api/backups', { params: { query: { page, limit: 100 } } }))
    return { items: list.backups, totalPages: list.pagination.totalPages }
  })
  const latest = all.find(({ subject, status }) => subject === 'PANEL' && status === 'GOOD')
  if (!latest) throw new CommandError('There is no good backup of the panel')
  return latest.id
}

async function waitFor(
  { client, signal }: SignedInCall,
  id: string,
  isDone: (restore: AccountRestore) => boolean
): Promise<AccountRestore> {
  const params = { path: { id } }
  for (;;) {
    const found = await withRetries(signal, () => unwrap(client.GET('/api/backups/account-restores/{id}', { params })))
    if (isDone(found)) return found
    await sleep(pollEveryMs, undefined, { signal })
  }
}
