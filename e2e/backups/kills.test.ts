import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Schema, unwrap } from '@panel/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  backupDirectory,
  backupStaging,
  projectDirectory,
  stagingRoot
} from '../../packages/server/src/process/paths.ts'
import { ask } from '../databases/clients.harness.ts'
import { addFolderTarget, startBackupPanel } from '../support/backup-panel.ts'
import { at, type Client, type RunningPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'

type Backup = Schema<'Backup'>

const closers: (() => Promise<unknown>)[] = []
let repository: string
let projects: string
let panel: RunningPanel
let admin: Client
let ann: Client
let email: string
let projectId: string
let database: Schema<'Database'>
let good: { project: string; panel: string }

const home = (name = '') => join(projectDirectory({ PROJECTS_DIR: projects }, projectId), name)
const namesIn = (path: string) => readdir(path).catch((): string[] => [])

beforeAll(async () => {
  ;({ panel, projects, repository } = await startBackupPanel(closers))
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  email = (await unwrap(ann.api.GET('/api/auth/me'))).email
  projectId = (await ann.createProject({ name: 'shop', type: 'STATIC' })).id
  await unwrap(ann.api.GET('/api/files/{id}/list', at(projectId)))
  await writeFile(home('note.txt'), 'first')
  await writeFile(home('large'), randomBytes(6 * 1024 * 1024))
  const body = { name: 'goods', type: 'POSTGRESQL' as const, projectId, autoInjectEnv: false }
  database = await unwrap(ann.api.POST('/api/databases', { body }))
  await ask(database.hostUri, 'create table goods (name text)')
  await ask(database.hostUri, "insert into goods values ('tea')")
  await addFolderTarget(admin, repository)
  // Slow enough to be killed in between.
  await panel.query(`insert into settings values ('backup_schedule', '{"uploadLimitKib": 1024}') on conflict (key) do update set value = excluded.value`) // oxfmt-ignore
  const made = await backUp()
  good = { project: made.find(({ subject }) => subject === 'PROJECT')!.id, panel: made.find(({ subject }) => subject === 'PANEL')!.id } // oxfmt-ignore
  await writeFile(home('note.txt'), 'second')
  await ask(database.hostUri, 'delete from goods')
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const backups = async (): Promise<Backup[]> => (await unwrap(admin.api.GET('/api/backups', { params: { query: { limit: 100 } } }))).backups // oxfmt-ignore
async function backUp(): Promise<Backup[]> {
  const before = new Set((await backups()).map(({ id }) => id))
  await unwrap(admin.api.POST('/api/backups', { body: {} }))
  const done = await until(backups, (all) => all.every(({ endedAt }) => endedAt !== null) && all.some(({ id }) => !before.has(id))) // oxfmt-ignore
  const made = done.filter(({ id }) => !before.has(id))
  expect(made.map(({ status, problem }) => [status, problem])).toEqual(made.map(() => ['GOOD', null]))
  return made
}

/** What a killed process could leave, once everything has ended. */
async function leftovers(): Promise<string[]> {
  const config = { DATA_DIR: panel.dataDir }
  const scratch = await panel.query<{ name: string }>(`select datname as name from pg_database where datname like 'panel_restore_%'`) // oxfmt-ignore
  const kept = await panel.query<{ id: string }>('select id from restores where undo_until is not null')
  return [
    ...(await namesIn(backupStaging(config))),
    ...(await namesIn(backupDirectory(config))).filter((name) => name.startsWith('call-')),
    ...(await namesIn(stagingRoot({ PROJECTS_DIR: projects }))).filter(
      (name) => /^(restore|account-restore)-/.test(name) && !kept.some(({ id }) => name.endsWith(id))
    ),
    ...scratch.map(({ name }) => name)
  ]
}

async function restored(body: Schema<'StartRestore'>) {
  const path = { id: projectId, backupId: good.project }
  const { id } = await unwrap(ann.api.POST('/api/projects/{id}/backups/{backupId}/restore', { params: { path }, body }))
  const find = async () =>
    (await unwrap(ann.api.GET('/api/projects/{id}/restores', at(projectId)))).restores.find((each) => each.id === id)!
  return {
    id,
    ended: () =>
      until(find, ({ endedAt }) => endedAt !== null).then((restore) =>
        expect([restore.status, restore.problem]).toEqual(['COMPLETED', null])
      )
  }
}

async function restoredAccount() {
  const { id } = await unwrap(
    admin.api.POST('/api/backups/account-restores', { body: { backupId: good.panel, email } })
  )
  const find = () => unwrap(admin.api.GET('/api/backups/account-restores/{id}', at(id)))
  const reached = (status: string) => until(find, (restore) => restore.status === status || restore.endedAt !== null)
  return {
    id,
    planned: () => reached('PLANNED').then(({ status, problem }) => expect([status, problem]).toEqual(['PLANNED', null])), // oxfmt-ignore
    start: () => unwrap(admin.api.POST('/api/backups/account-restores/{id}/start', { ...at(id), body: { skip: [] } })), // oxfmt-ignore
    ended: () => reached('COMPLETED').then(({ status, problem }) => expect([status, problem]).toEqual(['COMPLETED', null])) // oxfmt-ignore
  }
}

interface Killed {
  /** Whether the work has come as far as the step, or further. */
  isThere(): Promise<boolean>
  /** Resolves once the work ended well after the restart. */
  ended(): Promise<unknown>
}

const isAny = async (sql: string, values: unknown[] = []) => (await panel.query(sql, values)).length > 0
const firstIsBack = async () => expect(await readFile(home('note.txt'), 'utf8')).toBe('first')

async function backupUntil(isThere: () => Promise<boolean>): Promise<Killed> {
  const before = (await backups()).length
  // New data, so that restic has something to write.
  await writeFile(home('large'), randomBytes(6 * 1024 * 1024))
  await unwrap(ann.api.POST('/api/projects/{id}/backups', { ...at(projectId), body: {} }))
  const ended = () => until(backups, (all) => all.length > before && all.every(({ endedAt }) => endedAt !== null)).then(([latest]) => expect([latest!.status, latest!.problem]).toEqual(['GOOD', null])) // oxfmt-ignore
  return { isThere, ended }
}

const steps: Record<string, () => Promise<Killed>> = {
  'a backup has dumped the databases': () =>
    backupUntil(async () => (await namesIn(backupStaging({ DATA_DIR: panel.dataDir }))).length > 0),
  'a backup writes to the target': () => backupUntil(async () => (await namesIn(join(repository, 'locks'))).length > 0),
  'a backup is read back': async () => {
    const snapshots = () => namesIn(join(repository, 'snapshots'))
    const { length } = await snapshots()
    return backupUntil(async () => (await snapshots()).length > length)
  },
  'a restore of files reads the backup': async () => {
    const { id, ended } = await restored({ kind: 'FILES', path: '' })
    const isThere = async () => (await namesIn(stagingRoot({ PROJECTS_DIR: projects }))).includes(`restore-${id}`)
    return { isThere, ended: () => ended().then(firstIsBack) }
  },
  'a restore of files has exchanged them': async () => {
    const { id, ended } = await restored({ kind: 'FILES', path: '' })
    const isThere = async () =>
      (await namesIn(join(stagingRoot({ PROJECTS_DIR: projects }), `restore-${id}`))).includes('previous')
    return { isThere, ended: () => ended().then(firstIsBack) }
  },
  'a restore of a database has created it': async () => {
    const { id, ended } = await restored({ kind: 'DATABASE', databaseId: database.id })
    const isThere = () => isAny('select from restores where id = $1 and database_name is not null', [id])
    return { isThere, ended }
  },
  'a preview of an account reads the backup': async () => {
    const { id, planned } = await restoredAccount()
    const isThere = () => isAny(`select from account_restores where id = $1 and (worker_id is not null or status <> 'PLANNING')`, [id]) // oxfmt-ignore
    return { isThere, ended: planned }
  },
  'a restore of an account starts': async () => {
    const { id, planned, start, ended } = await restoredAccount()
    await planned()
    await start()
    const isThere = () => isAny(`select from account_restores where id = $1 and (worker_id is not null or status <> 'STARTING')`, [id]) // oxfmt-ignore
    return { isThere, ended: () => ended().then(firstIsBack) }
  },
  'a restore of an account restores its parts': async () => {
    const { id, planned, start, ended } = await restoredAccount()
    await planned()
    await start()
    const isThere = () => isAny(`select from restores where account_restore_id = $1 and status <> 'QUEUED'`, [id])
    return { isThere, ended: () => ended().then(firstIsBack) }
  }
}

test.each(Object.keys(steps))('kill -9 of the panel once %s loses nothing and leaves nothing', async (step) => {
  await writeFile(home('note.txt'), 'second')
  const { isThere, ended } = await steps[step]!()
  await until(isThere, (is) => is)
  await panel.kill()
  await panel.start()
  await ended()
  await until(leftovers, (left) => left.length === 0)
  // Rows that are there now are those from before: a restore of a database goes beside it.
  expect(await ask(database.hostUri, 'select count(*) from goods')).toBe('0')
})

test('locks of killed processes are gone after the next backup', async () => {
  await backUp()
  expect(await namesIn(join(repository, 'locks'))).toEqual([])
})
