import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Schema, unwrap } from '@panel/client'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDockerEngine } from '../../packages/server/src/infra/container-engine/docker.ts'
import { label } from '../../packages/server/src/infra/container-engine/labels.ts'
import { drillFiles, programState, projectDirectory, stagingRoot } from '../../packages/server/src/process/paths.ts'
import { ask } from '../databases/clients.harness.ts'
import { addFolderTarget, startBackupPanel } from '../support/backup-panel.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { at, type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'

type Backup = Schema<'Backup'>
type Drill = Schema<'BackupDrill'>

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
const closers: (() => Promise<unknown>)[] = []
let directory: string
let repository: string
let projects: string
let panel: RunningPanel
let git: GitHttpServer
let admin: Client
let site: Site
let key: string
const databases = new Map<DatabaseType, Schema<'Database'>>()

const home = () => projectDirectory({ PROJECTS_DIR: projects }, site.id)

beforeAll(async () => {
  git = await startGitHttpServer()
  closers.push(() => git.stop())
  const env = { HOST: '0.0.0.0', GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` }
  ;({ panel, projects, directory, repository } = await startBackupPanel(closers, env))
  admin = await panel.signUp()
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
  ;({ key } = await addFolderTarget(admin, repository))
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
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
  const namesIn = (path: string) => readdir(path, { recursive: true }).catch((): string[] => [])
  const postgresql = await ask(databases.get('POSTGRESQL')!.hostUri, "select count(*) from pg_database where datname like 'drill\\_%'") // oxfmt-ignore
  return [
    ...containers.filter(({ labels }) => labels[label.run] !== undefined).map(({ name }) => name),
    ...slots.map((slot) => slot.deployment_id),
    ...(await namesIn(drillFiles({ PROJECTS_DIR: projects }))),
    ...(await namesIn(stagingRoot({ PROJECTS_DIR: projects }))).filter((name) => name.startsWith('drill-')),
    ...(await namesIn(join(state, 'mysql'))).filter((name) => name.includes('drill_')),
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

test.each(Object.keys(steps))('kill -9 of the panel once %s leaves nothing', async (step) => {
  await writeFile(join(home(), 'hold'), '')
  await backUp()
  const drill = await start()
  await until(
    () => steps[step]!(drill.id),
    (isThere) => isThere
  )
  await panel.kill()
  await panel.start()
  // It is started again, and ends because the site does not answer.
  expect(await ended(drill)).toMatchObject({ status: 'FAILED', problem: expect.stringContaining('did not start') })
  await noneLeft()
})

test('a drill after that is good, and the site continues', async () => {
  await rm(join(home(), 'hold'))
  await backUp()
  expect(await ended(await start())).toMatchObject({ status: 'GOOD' })
  expect(await panel.visit(site.hostname)).toMatchObject({ status: 200 })
})
