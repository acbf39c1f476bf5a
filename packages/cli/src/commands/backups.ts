import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, type SignedInCall, step, UsageError } from '../context.ts'
import { allPages, projectOf } from '../projects.ts'
import { table } from '../table.ts'
import { withRetries } from '../with-retries.ts'

const pollEveryMs = 2_000

export const listBackups: Command = {
  name: 'backups list',
  about: 'list the backups of a project',
  args: '[project]',
  example: 'backups list shop',
  async run(call) {
    const { client, print } = call
    const project = await projectOf(call)
    const all = await backupsOf(client, project.id)
    const rows = all.map(({ id, createdAt, targetName, status, bytes, databases }) => [
      ...[id, createdAt, targetName, status, bytes, databases.map(({ name }) => name).join(', ') || null]
    ])
    print(all, table(['ID', 'STARTED', 'TARGET', 'STATUS', 'BYTES', 'DATABASES'], rows))
    call.next(all.length === 0 ? `backups create ${project.name}` : `backups restore ${project.name} <backup>`)
  }
}

export const listDrills: Command = {
  name: 'backups drills',
  about: 'list the drills that restored backups of a project into temporary copies',
  args: '[project]',
  example: 'backups drills shop',
  async run(call) {
    const { client, print } = call
    const { id, name } = await projectOf(call)
    const params = { path: { id }, query: { limit: 20 } }
    const { drills } = await unwrap(client.GET('/api/projects/{id}/backup-drills', { params }))
    const rows = drills.map(
      ({ createdAt, backupTakenAt, targetName, status, restoreSeconds, startSeconds, problem }) => [
        ...[createdAt, backupTakenAt, targetName, status, restoreSeconds, startSeconds, problem]
      ]
    )
    print(drills, table(['STARTED', 'BACKUP FROM', 'TARGET', 'STATUS', 'RESTORE (S)', 'START (S)', 'PROBLEM'], rows))
    call.next(`backups list ${name}`)
  }
}

/** With --wait, a failed backup exits with 1. */
export const createBackup: Command = {
  name: 'backups create',
  about: 'back up a project on every target; with --wait, until it was read back',
  args: '[project]',
  options: [['--wait', 'wait until the backup was read back']],
  example: 'backups create shop --wait',
  async run(call) {
    const { client, options, print } = call
    const project = await projectOf(call)
    const before = new Set((await backupsOf(client, project.id)).map(({ id }) => id))
    const path = { id: project.id }
    const started = await unwrap(client.POST('/api/projects/{id}/backups', { params: { path }, body: {} }))
    if (options.wait !== true) {
      print(started, `${started.queued} backups queued\n`)
      return call.next(`backups list ${project.name}`)
    }
    step(call, `${started.queued} backups of ${project.name}`)
    const isNew = ({ id }: Schema<'Backup'>) => !before.has(id)
    const ended = await poll(call, async () => {
      const mine = (await backupsOf(client, project.id)).filter(isNew)
      return mine.every(({ endedAt }) => endedAt !== null) ? mine : undefined
    })
    print(ended, ended.map(({ id, targetName, status }) => `Backup ${id} on ${targetName} is ${status}\n`).join(''))
    const failed = ended.find(({ status }) => status === 'FAILED')
    call.next(
      failed || ended.length === 0 ? `backups list ${project.name}` : `backups restore ${project.name} ${ended[0]!.id}`
    )
    if (failed) throw new CommandError(failed.problem ?? 'A backup failed')
  }
}

/** All files, one path of them, or a database; see `restoreBackup` of the API. */
export const restoreBackup: Command = {
  name: 'backups restore',
  about: 'restore all files, a path into a new folder, or a database into a new one',
  args: '[project] <backup>',
  options: [
    ['--path <path>', 'only this file or folder'],
    ['--volume <name>', 'files of this volume instead of those of the project'],
    ['--database <name>', 'only this database']
  ],
  example: 'backups restore shop 01k5p9v2c3d4e5f6g7h8j9kmnp --path public',
  async run(call) {
    const { client, args, options, print } = call
    const project = await projectOf(call)
    const params = { path: { id: project.id, backupId: args[0]! } }
    const backup = await unwrap(client.GET('/api/projects/{id}/backups/{backupId}', { params }))
    const body = bodyOf(backup, options)
    const restore = await unwrap(client.POST('/api/projects/{id}/backups/{backupId}/restore', { params, body }))
    step(call, `Restore ${restore.id}`)
    const ended = await poll(call, async () => {
      const path = { id: project.id }
      const { restores } = await unwrap(client.GET('/api/projects/{id}/restores', { params: { path } }))
      return restores.find(({ id, endedAt }) => id === restore.id && endedAt !== null)
    })
    print(
      ended,
      `Restore ${ended.id} is ${ended.status}${ended.databaseName === null ? '' : `: ${ended.databaseName}`}\n`
    )
    const restored = ended.databaseName === null ? `files list ${project.name} .` : `db url ${ended.databaseName}`
    call.next(ended.status === 'FAILED' ? `backups list ${project.name}` : restored)
    if (ended.status === 'FAILED') throw new CommandError(ended.problem ?? 'The restore failed')
  }
}

/** Without options it only prints. --exclude adds a pattern, --include removes one. */
export const backupSettings: Command = {
  name: 'backups settings',
  about: 'show or change the time of a project’s own backups, and what they skip',
  args: '[project]',
  options: [
    ['--at <time>', 'hh:mm, or never'],
    ['--exclude <pattern>', 'skip files of this pattern'],
    ['--include <pattern>', 'no longer skip them']
  ],
  example: 'backups settings shop --at 02:30 --exclude cache',
  async run(call) {
    const { client, options, print } = call
    const { id, name } = await projectOf(call)
    const params = { path: { id } }
    const before = await unwrap(client.GET('/api/projects/{id}/backup-settings', { params }))
    const { at, exclude, include } = options
    const excluded = before.excluded.filter((pattern) => pattern !== include && pattern !== exclude)
    if (typeof exclude === 'string') excluded.push(exclude)
    const body = { ...before, ...(typeof at === 'string' ? timeOf(at) : {}), excluded }
    const isChanged = [at, exclude, include].some((option) => option !== undefined)
    const settings = isChanged
      ? await unwrap(client.PUT('/api/projects/{id}/backup-settings', { params, body }))
      : before
    const days = settings.weekdays.length === 0 ? 'every day' : `on days ${settings.weekdays.join(', ')}`
    const twoDigits = (value: number) => String(value).padStart(2, '0')
    const own = settings.isEnabled ? `${twoDigits(settings.hour)}:${twoDigits(settings.minute)} ${days}` : 'never'
    print(settings, `Own backups: ${own}\nSkipped: ${settings.excluded.join(', ') || 'nothing'}\n`)
    call.next(`backups list ${name}`)
  }
}

function timeOf(text: string): Partial<Schema<'ProjectBackupSettings'>> {
  if (text === 'never') return { isEnabled: false }
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  if (hour === undefined) throw new UsageError('--at takes a time such as 02:30, or never')
  return { isEnabled: true, hour: Number(hour), minute: Number(minute) }
}

type Option = string | boolean | undefined

function bodyOf(
  { databases }: Schema<'Backup'>,
  { database, path, volume }: Readonly<Record<string, Option>>
): Schema<'StartRestore'> {
  if (typeof database !== 'string')
    return { kind: 'FILES', path: typeof path === 'string' ? path : '', ...(typeof volume === 'string' && { volume }) }
  const found = databases.find(({ id, name }) => name === database || id === database)
  if (!found) throw new CommandError(`The backup has no database "${database}"`)
  return { kind: 'DATABASE', databaseId: found.id }
}

async function poll<T>(call: SignedInCall, read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await withRetries(call.signal, read)
    if (found !== undefined) return found
    await sleep(pollEveryMs, undefined, { signal: call.signal })
  }
}

const backupsOf = (client: Client, id: string): Promise<Schema<'Backup'>[]> =>
  allPages(async (page) => {
    const query = { page, limit: 100 }
    const list = await unwrap(client.GET('/api/projects/{id}/backups', { params: { path: { id }, query } }))
    return { items: list.backups, totalPages: list.pagination.totalPages }
  })
