import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Schema, unwrap } from '@panel/client'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDockerEngine } from '../../packages/server/src/infra/container-engine/docker.ts'
import { label } from '../../packages/server/src/infra/container-engine/labels.ts'
import {
  backupDirectory,
  backupStaging,
  drillFiles,
  programState,
  projectDirectory,
  stagingRoot
} from '../../packages/server/src/process/paths.ts'
import { ask } from '../databases/clients.harness.ts'
import { addFolderTarget, startBackupPanel } from '../support/backup-panel.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { at, type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'

type Backup = Schema<'Backup'>
type Drill = Schema<'BackupDrill'>

const closers: (() => Promise<unknown>)[] = []
let directory: string
let repository: string
let projects: string
let panel: RunningPanel
let git: GitHttpServer
let admin: Client
let key: string
const namesIn = (path: string, options: { recursive?: boolean } = {}) =>
  readdir(path, options).catch((): string[] => [])

beforeAll(async () => {
  git = await startGitHttpServer()
  closers.push(() => git.stop())
  const env = { HOST: '0.0.0.0', GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` }
  ;({ panel, projects, directory, repository } = await startBackupPanel(closers, env))
  admin = await panel.signUp('admin')
  ;({ key } = await addFolderTarget(admin, repository))
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

describe('a backup or a restore', () => {
  let ann: Client
  let email: string
  let projectId: string
  let database: Schema<'Database'>
  let good: { project: string; panel: string }

  const home = (name = '') => join(projectDirectory({ PROJECTS_DIR: projects }, projectId), name)

  beforeAll(async () => {
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
    // Slow enough to be killed in between.
    await panel.query(`insert into settings values ('backup_schedule', '{"uploadLimitKib": 1024}') on conflict (key) do update set value = excluded.value`) // oxfmt-ignore
    const made = await backUp()
    good = { project: made.find(({ subject }) => subject === 'PROJECT')!.id, panel: made.find(({ subject }) => subject === 'PANEL')!.id } // oxfmt-ignore
    await writeFile(home('note.txt'), 'second')
    await ask(database.hostUri, 'delete from goods')
  })
  afterAll(() => panel.query(`delete from settings where key = 'backup_schedule'`))

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
    const { id } = await unwrap(
      ann.api.POST('/api/projects/{id}/backups/{backupId}/restore', { params: { path }, body })
    )
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

  async function backupUntil(
    isThere: () => Promise<boolean>,
    subject: 'PROJECT' | 'PANEL' = 'PROJECT'
  ): Promise<Killed> {
    const before = (await backups()).length
    // New data, so that restic has something to write.
    await writeFile(home('large'), randomBytes(6 * 1024 * 1024))
    if (subject === 'PANEL') await unwrap(admin.api.POST('/api/backups', { body: { subject } }))
    else await unwrap(ann.api.POST('/api/projects/{id}/backups', { ...at(projectId), body: {} }))
    const ended = () => until(backups, (all) => all.length > before && all.every(({ endedAt }) => endedAt !== null)).then(([latest]) => expect([latest!.status, latest!.problem]).toEqual(['GOOD', null])) // oxfmt-ignore
    return { isThere, ended }
  }

  const steps: Record<string, () => Promise<Killed>> = {
    'a backup has dumped the databases': () =>
      backupUntil(async () => (await namesIn(backupStaging({ DATA_DIR: panel.dataDir }))).length > 0),
    'a backup of the panel writes to the target': () =>
      backupUntil(async () => (await namesIn(join(repository, 'locks'))).length > 0, 'PANEL'),
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
})

// Answers only with its file, and with a database server to talk to; in a drill only with the name of a scratch database.
const server = `
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { existsSync, readFileSync } from 'node:fs'
const { DB_HOST, DB_PORT, DB_NAME, PANEL_DRILL, PORT } = process.env
const isDrill = PANEL_DRILL === '1'
createServer((request, response) => {
  const isRight = existsSync('/data/note.txt') && readFileSync('/data/note.txt', 'utf8') === 'a note' && DB_NAME.startsWith('drill_') === isDrill
  if (!isRight || (isDrill && existsSync('/data/hold'))) return response.writeHead(500).end()
  const socket = connect(Number(DB_PORT), DB_HOST, () => { socket.destroy(); response.end('ready') })
  socket.on('error', () => response.writeHead(500).end())
}).listen(PORT, '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
`
const files = {
  'package.json': JSON.stringify({ name: 'site', private: true, type: 'module', scripts: { start: 'node server.js' } }),
  'server.js': server
}

const engine = createDockerEngine({ socketPath: '/var/run/docker.sock' })
describe('a drill', () => {
  let site: Site
  const databases = new Map<DatabaseType, Schema<'Database'>>()

  const home = () => projectDirectory({ PROJECTS_DIR: projects }, site.id)

  beforeAll(async () => {
    const health = { path: '/', status: 200, timeoutSeconds: 5, graceSeconds: 20 }
    site = await admin.createSite(git, files, { health })
    for (const type of databaseTypes) {
      const body = {
        name: `drilled_${type.toLowerCase()}`,
        type,
        projectId: site.id,
        autoInjectEnv: type === 'POSTGRESQL'
      }
      const made = await unwrap(admin.api.POST('/api/databases', { body }))
      await ask(made.hostUri, 'create table goods (id int primary key, name text)')
      await ask(made.hostUri, "insert into goods values (1, 'tea\n-- Dump completed'), (2, '(\\\\.'), (3, null)")
      databases.set(type, made)
    }
    await unwrap(admin.api.GET('/api/files/{id}/list', { params: { path: { id: site.id } } }))
    await writeFile(join(home(), 'note.txt'), 'a note')
    await admin.mustRun(site.id)
  })
  async function backUp(): Promise<Backup> {
    const list = async () => (await unwrap(admin.api.GET('/api/projects/{id}/backups', at(site.id)))).backups
    const before = (await list()).length
    await unwrap(admin.api.POST('/api/projects/{id}/backups', { ...at(site.id), body: {} }))
    const ended = await until(list, (backups) => backups.length > before && backups.every(({ endedAt }) => endedAt !== null)) // oxfmt-ignore
    expect([ended[0]!.problem, ended[0]!.status]).toEqual([null, 'GOOD'])
    return ended[0]!
  }

  const start = () => unwrap(admin.api.POST('/api/backups/drills', { body: { projectId: site.id } }))
  const find = async (id: string) =>
    (await unwrap(admin.api.GET('/api/backups/drills'))).drills.find((drill) => drill.id === id)!
  const ended = ({ id }: Drill) =>
    until(
      () => find(id),
      ({ endedAt }) => endedAt !== null
    )

  /** Containers, slots, files and databases of drills. */
  async function leftovers(): Promise<string[]> {
    const containers = await engine.listContainers({ [label.instance]: panel.instanceId })
    const slots = await panel.query<{ deployment_id: string }>(`select deployment_id from container_slots where kind = 'RUN'`) // oxfmt-ignore
    const state = programState({ DATA_DIR: panel.dataDir })
    const namesBelow = (path: string) => namesIn(path, { recursive: true })
    const postgresql = await ask(databases.get('POSTGRESQL')!.hostUri, "select count(*) from pg_database where datname like 'drill\\_%'") // oxfmt-ignore
    return [
      ...containers.filter(({ labels }) => labels[label.run] !== undefined).map(({ name }) => name),
      ...slots.map((slot) => slot.deployment_id),
      ...(await namesBelow(drillFiles({ PROJECTS_DIR: projects }))),
      ...(await namesBelow(stagingRoot({ PROJECTS_DIR: projects }))).filter((name) => name.startsWith('drill-')),
      ...(await namesBelow(join(state, 'mysql'))).filter((name) => name.includes('drill_')),
      ...(Number(postgresql) > 0 ? [`${postgresql} databases`] : [])
    ]
  }
  const noneLeft = () => until(leftovers, (left) => left.length === 0)

  test('a good backup is restored, started and answers, beside a site that continues', async () => {
    await backUp()
    const drill = await ended(await start())
    expect([drill.problem, drill.status, drill.start]).toEqual([null, 'GOOD', 'ANSWERED'])
    expect(drill.databases.map(({ tables, rows }) => [tables, rows])).toEqual(databaseTypes.map(() => [1, 3]))
    expect(await leftovers()).toEqual([])
    expect(await panel.visit(site.hostname)).toMatchObject({ status: 200, body: 'ready' })
    for (const { hostUri } of databases.values()) expect(await ask(hostUri, 'select count(*) from goods')).toBe('3')
  })

  test.each(databaseTypes)(
    'a dump of %s that cannot be loaded is found, although its checksum is right',
    async (type) => {
      const backup = await backUp()
      const stage = join(directory, `stage-${type}`)
      const restic = (args: string[], cwd: string) =>
      promisify(execFile)('restic', ['-r', repository, '--json', ...args], { cwd, env: { PATH: process.env.PATH, HOME: directory, RESTIC_PASSWORD: key } }) // oxfmt-ignore
      const [row] = await panel.query<{ snapshot_id: string }>('select snapshot_id from backups where id = $1', [
        backup.id
      ])
      await restic(['restore', row!.snapshot_id, '--target', stage], directory)
      const manifestFile = join(stage, 'manifest.json')
      const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { databases: { id: string; type: string; sha256: string }[] } // oxfmt-ignore
      const planted = manifest.databases.find((database) => database.type === type)!
      const dumpFile = join(stage, 'databases', `${planted.id}.sql`)
      const dump = `${await readFile(dumpFile, 'utf8')}\nselect * from nothing_there;\n`
      await writeFile(dumpFile, dump)
      planted.sha256 = createHash('sha256').update(dump).digest('hex')
      await writeFile(manifestFile, JSON.stringify(manifest))
      const { stdout } = await restic(['backup', '--tag', `project:${site.id}`, '.'], stage)
      const { snapshot_id: bad } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { snapshot_id: string }
      await panel.query('update backups set snapshot_id = $1 where id = $2', [bad, backup.id])
      const drill = await ended(await start())
      expect(drill).toMatchObject({ status: 'FAILED', problem: expect.stringContaining('nothing_there') })
      expect(await leftovers()).toEqual([])
      const { items } = await unwrap(admin.api.GET('/api/overview'))
      expect(items).toContainEqual(expect.objectContaining({ code: 'BACKUP_DRILL_FAILED', title: site.name }))
    }
  )

  /** What exists once a drill has come so far. */
  const steps: Record<string, (id: string) => Promise<boolean>> = {
    'its files are restored': async (id) =>
      (await readdir(stagingRoot({ PROJECTS_DIR: projects }))).includes(`drill-${id}`),
    'its databases are loaded': async () =>
      (await leftovers()).some((name) => name.endsWith(' databases') || name.includes('drill_')),
    'it runs': async (id) =>
      (await engine.listContainers({ [label.instance]: panel.instanceId, [label.run]: id })).some(
        ({ status }) => status === 'running'
      )
  }

  test('kill -9 of the panel once its files are restored, its databases loaded or it runs leaves nothing', async () => {
    await writeFile(join(home(), 'hold'), '')
    await backUp()
    for (const [step, isReached] of Object.entries(steps)) {
      const drill = await start()
      await until(
        () => isReached(drill.id),
        (isThere) => isThere
      )
      await panel.kill()
      await panel.start()
      // It is started again, and ends because the site does not answer.
      expect([step, await ended(drill)]).toEqual([step, expect.objectContaining({ status: 'FAILED', problem: expect.stringContaining('did not start') })]) // oxfmt-ignore
      await noneLeft()
    }
  })

  test('a drill after that is good, and the site continues', async () => {
    await rm(join(home(), 'hold'))
    await backUp()
    expect(await ended(await start())).toMatchObject({ status: 'GOOD' })
    expect(await panel.visit(site.hostname)).toMatchObject({ status: 200 })
  })
})
