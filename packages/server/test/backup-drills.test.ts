import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BackupDrill, BackupDrillList } from '@panel/contract/backup-drills'
import type { BackupSchedule } from '@panel/contract/backup-schedule'
import type { NewBackupTarget } from '@panel/contract/backups'
import type { Database } from '@panel/contract/databases'
import { backupDrills } from '../src/db/schema/backup-drills.ts'
import { backups, backupTargets } from '../src/db/schema/backups.ts'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { runDrill } from '../src/features/backup-drills/drill.jobs.ts'
import { scratchPaths } from '../src/features/backup-drills/drill-scratch.service.ts'
import { recoverDrills } from '../src/features/backup-drills/drills.reconcile.ts'
import { queueDueDrill } from '../src/features/backup-drills/drills.service.ts'
import { runBackups } from '../src/features/backups/backups.jobs.ts'
import { AdapterError } from '../src/infra/adapter-error.ts'
import type { ContainerSpec } from '../src/infra/container-engine/container-engine.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { projectDirectory } from '../src/process/paths.ts'
import type { MemoryBackupRepository } from './fakes/memory-backup-repository.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import type { MemoryDatabaseDump } from './fakes/memory-database-dump.ts'
import type { MemoryDatabaseServer } from './fakes/memory-database-server.ts'
import { deployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let engine: MemoryContainerEngine
let repository: MemoryBackupRepository
let dump: MemoryDatabaseDump
let server: MemoryDatabaseServer
let admin: Client
let ann: Client
let site: string
let database: Database
let freeBytes = 10 ** 12
/** Offset of the panel clock in milliseconds. */
let later = 0
const day = 24 * 3600_000
const signal = new AbortController().signal
const workerId = 7

beforeAll(async () => {
  engine = createMemoryEngine()
  panel = await createTestPanel(
    {},
    { engine, now: () => new Date(Date.now() + later), freeDiskBytes: async () => freeBytes }
  )
  repository = panel.deps.backupRepository as MemoryBackupRepository
  dump = panel.deps.databaseDump as MemoryDatabaseDump
  server = panel.deps.databaseServers.POSTGRESQL as MemoryDatabaseServer
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  site = (await deployedSite(panel, ann, engine)).id
  const [project] = await panel.deps.db.select().from(projects).where(eq(projects.id, site))
  const imageSpec = { port: 8080, readOnlyRoot: true, volumes: [], filesAt: '/data' }
  await panel.deps.db
    .update(deployments)
    .set({ image: 'site', imageSpec })
    .where(eq(deployments.id, project!.liveDeploymentId!))
  const created = await ann.request('POST', '/api/databases', {
    name: 'shop',
    type: 'POSTGRESQL',
    projectId: site,
    autoInjectEnv: true
  })
  database = created.json()
  dump.contents.set('shop', 'rows\nof the shop')
  await put(site, 'index.html', 'hello')
  const target = { kind: 'FOLDER', name: 'Disk', path: '/mnt/backup' }
  const { id, key } = (await admin.request('POST', '/api/backups/targets', target)).json<NewBackupTarget>()
  await admin.request('POST', `/api/backups/targets/${id}/confirm`, { key })
  await backUp()
})
afterAll(() => panel.close())
beforeEach(async () => {
  await panel.deps.db.delete(backupDrills)
  repository.before = async () => {}
  dump.before = async () => {}
  engine.fail = undefined
  engine.afterStart = () => {}
  freeBytes = 10 ** 12
  later = 0
})

async function put(projectId: string, name: string, content: string): Promise<void> {
  // The first request creates the directory.
  expect((await ann.request('GET', `/api/files/${projectId}/list`)).statusCode).toBe(200)
  await mkdir(projectDirectory(panel.deps.config, projectId), { recursive: true })
  await writeFile(join(projectDirectory(panel.deps.config, projectId), name), content)
}
async function backUp(): Promise<void> {
  await admin.request('POST', '/api/backups', { subject: 'PROJECT' })
  await runBackups(panel.deps, { lease: { workerId, findDead: async () => [] }, signal })
}
const start = (body: object = {}, by = admin) => by.request('POST', '/api/backups/drills', body)
async function started(body: object = {}): Promise<BackupDrill> {
  const answer = await start(body)
  expect(answer.statusCode, answer.body).toBe(202)
  return answer.json()
}
const list = async (by = admin, path = '/api/backups/drills') =>
  (await by.request('GET', path)).json<BackupDrillList>().drills
const ofSite = async (id: string) => (await list()).find((drill) => drill.id === id)!
async function drilled(body: object = { projectId: site }): Promise<BackupDrill> {
  const { id } = await started(body)
  await runDrill(panel.deps, workerId, id, signal)
  return ofSite(id)
}
const exists = (path: string) => access(path).then(() => true, () => false) // oxfmt-ignore
/** What a drill has outside the store. */
async function leftOf(id: string): Promise<unknown[]> {
  const { restored, files } = scratchPaths(panel.deps.config, id)
  const slots = await panel.deps.db.select().from(containerSlots).where(eq(containerSlots.deploymentId, id))
  return [
    ...[...engine.containers.values()].filter(({ spec }) => spec.labels[label.run] === id),
    ...[...server.databases.keys()].filter((name) => name.startsWith('drill_')),
    ...slots,
    ...((await exists(restored)) ? [restored] : []),
    ...((await exists(files)) ? [files] : [])
  ]
}

test('restores files and databases, starts the image with them, and removes everything', async () => {
  let spec: ContainerSpec | undefined
  let page: boolean | undefined
  engine.afterStart = async (container) => {
    spec = container.spec
    page = await exists(join(container.spec.binds[0]!.source, 'index.html'))
  }
  const drill = await drilled()
  expect(drill).toMatchObject({
    status: 'GOOD',
    start: 'ANSWERED',
    problem: null,
    trigger: 'MANUAL',
    files: 3,
    databases: [{ name: 'shop', tables: 1, rows: 2 }],
    restoreSeconds: expect.any(Number),
    startSeconds: expect.any(Number)
  })
  expect(page).toBe(true)
  expect(spec).toMatchObject({ env: { DB_NAME: expect.stringMatching(/^drill_/), PANEL_DRILL: '1' }, volumes: [] })
  expect(spec).not.toHaveProperty('hostPort')
  expect(spec!.labels).not.toHaveProperty(label.account)
  expect(await leftOf(drill.id)).toEqual([])
  expect(await list(ann, `/api/projects/${site}/backup-drills`)).toEqual([drill])
  expect(await panel.audited({ action: 'backup_drill.requested' })).toMatchObject([{ targetId: site }])
})

test('of a project that was never deployed restores and compares', async () => {
  const { id } = await ann.createProject()
  await put(id, 'index.html', 'a page')
  await backUp()
  expect(await drilled({ projectId: id })).toMatchObject({ status: 'GOOD', start: 'NOT_DEPLOYED', startSeconds: null })
})

test.each<[string, () => void]>([
  ['a dump that differs', () => plant(`/databases/${database.id}.sql`, 'other rows')],
  [
    'a file less than the snapshot lists',
    () => {
      const { files } = snapshotOfSite()
      const content = files.get('/files/index.html')!
      repository.before = async (operation) => {
        if (operation === 'restore') files.delete('/files/index.html')
        if (operation === 'count') files.set('/files/index.html', content)
      }
    }
  ],
  [
    'a dump that cannot be loaded',
    () => {
      dump.before = async (operation) => {
        if (operation === 'load') throw new AdapterError('database-dump-failed', 'The dump failed.')
      }
    }
  ],
  [
    'fewer rows than were backed up',
    () => {
      dump.before = async (operation) => {
        if (operation === 'dump')
          for (const name of dump.contents.keys()) if (name.startsWith('drill_')) dump.contents.set(name, 'row')
      }
    }
  ],
  [
    'a program that ends',
    () => {
      engine.afterStart = ({ state }) => void Object.assign(state, { running: false, status: 'exited', exitCode: 3 })
    }
  ]
])('fails with %s, says why and leaves nothing', async (_name, breakIt) => {
  // oxfmt-ignore
  const before = snapshotOfSite()
  const kept = new Map(before.files)
  breakIt()
  const drill = await drilled()
  before.files.clear()
  for (const [path, content] of kept) before.files.set(path, content)
  expect(drill).toMatchObject({ status: 'FAILED', problem: expect.stringMatching(/./) })
  expect(await leftOf(drill.id)).toEqual([])
  const { items } = (await admin.request('GET', '/api/overview')).json<{ items: { code: string; targetId: string }[] }>() // oxfmt-ignore
  expect(items).toContainEqual(expect.objectContaining({ code: 'BACKUP_DRILL_FAILED', targetId: drill.id }))
  const { notifications } = (await admin.request('GET', '/api/notifications')).json<{ notifications: { kind: string; text: string }[] }>() // oxfmt-ignore
  expect(notifications).toContainEqual(expect.objectContaining({ kind: 'backup-drill-failed', text: expect.stringContaining(drill.problem!) })) // oxfmt-ignore
})

const snapshotOfSite = () =>
  [...repository.snapshots.values()].filter(({ files }) => files.has(`/databases/${database.id}.sql`)).at(-1)!
const plant = (path: string, content: string) => snapshotOfSite().files.set(path, Buffer.from(content))

test('of a worker that died is started again, given up after three times, and cleaned up', async () => {
  const { id } = await started({ projectId: site })
  for (let attempt = 1; attempt <= 3; attempt++) {
    const dying = attempt + 10
    let fail!: (error: Error) => void
    const isAtCheck = new Promise<void>((resolve) => {
      engine.afterStart = () => new Promise((_resolve, reject) => { fail = reject; resolve() }) // oxfmt-ignore
    })
    const stop = new AbortController()
    const running = runDrill(panel.deps, dying, id, stop.signal)
    await isAtCheck
    expect((await leftOf(id)).length).toBeGreaterThan(3)
    await recoverDrills(panel.deps, { findDead: async (ids) => ids.filter((each) => each === dying) })
    expect(await ofSite(id)).toMatchObject({ status: attempt < 3 ? 'QUEUED' : 'FAILED' })
    if (attempt === 3) {
      await recoverDrills(panel.deps, { findDead: async () => [] })
      expect(await leftOf(id)).toEqual([])
    }
    stop.abort()
    fail(new Error('a dead worker reports nothing'))
    await running
  }
  expect(await recoverDrills(panel.deps, { findDead: async () => [] })).toBe('done')
})

test('what could not be removed is removed later', async () => {
  const drop = server.before
  server.before = async (operation) => {
    if (operation === 'drop') throw new AdapterError('database-server-unavailable', 'PostgreSQL is not responding')
  }
  const drill = await drilled().finally(() => (server.before = drop))
  expect(drill.status).toBe('FAILED')
  await recoverDrills(panel.deps, { findDead: async () => [] })
  expect(await leftOf(drill.id)).toEqual([])
})

test('is refused without room, without a good backup, and while another is open', async () => {
  freeBytes = panel.deps.config.MIN_FREE_DISK + 10
  expect((await start()).json()).toMatchObject({ code: 'DISK_FULL' })
  freeBytes = 10 ** 12
  const { id } = await ann.createProject()
  expect((await start({ projectId: id })).json()).toMatchObject({ code: 'CONFLICT' })
  expect((await start({ projectId: '00000000000000000000000000' })).statusCode).toBe(404)
  await started()
  expect((await start()).json()).toMatchObject({ code: 'CONFLICT' })
  expect((await start({}, ann)).json()).toMatchObject({ code: 'FORBIDDEN_ROLE' })
})

test('projects without a drill come first', async () => {
  const first = await drilled({})
  const second = await drilled({})
  expect(second.projectId).not.toBe(first.projectId)
})

test('runs on the schedule, once per time, and not when it is off', async () => {
  const schedule = (await admin.request('GET', '/api/backups/schedule')).json<BackupSchedule>()
  expect(schedule.drills).toBe('WEEKLY')
  const change = (drills: BackupSchedule['drills']) => admin.request('PUT', '/api/backups/schedule', { ...schedule, drills }) // oxfmt-ignore
  const queued = async () => {
    await queueDueDrill(panel.deps)
    return panel.deps.db.$count(backupDrills, eq(backupDrills.trigger, 'SCHEDULE'))
  }
  await change('OFF')
  later = 8 * day
  expect(await queued()).toBe(0)
  // Sessions end before that.
  later = 0
  await change('WEEKLY')
  later = 8 * day
  expect(await queued()).toBe(1)
  expect(await queued()).toBe(1)
  await panel.deps.db.update(backupDrills).set({ status: 'GOOD', endedAt: new Date() })
  later = 0
  await change('DAILY')
  later = 9 * day
  expect(await queued()).toBe(2)
})

test('a drill of a removed target fails without leaving anything', async () => {
  const { id } = await started({ projectId: site })
  const rows = [await panel.deps.db.select().from(backupTargets), await panel.deps.db.select().from(backups)] as const
  await panel.deps.db.delete(backupTargets)
  await runDrill(panel.deps, workerId, id, signal)
  expect(await ofSite(id)).toMatchObject({ status: 'FAILED' })
  expect(await leftOf(id)).toEqual([])
  await panel.deps.db.insert(backupTargets).values(rows[0])
  await panel.deps.db.insert(backups).values(rows[1])
})
