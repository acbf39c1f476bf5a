import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NotificationList } from '@panel/contract/notifications'
import type { Overview } from '@panel/contract/overview'
import type { DiskCleanup, DiskCleanupPreview, ServerDisk } from '@panel/contract/server-disk'
import { ensureNode } from '../src/db/nodes.ts'
import { restores } from '../src/db/schema/backups.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { metricHalfHours } from '../src/db/schema/monitoring.ts'
import { diskCleanups, diskMeasurements } from '../src/db/schema/server-disk.ts'
import { recoverCleanup, runCleanup } from '../src/features/server-disk/cleanup.jobs.ts'
import { measureDisksNow, measureServerDisk } from '../src/features/server-disk/measuring.jobs.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { stagingRoot, storeDirectory } from '../src/process/paths.ts'
import { newId } from '../src/security/ids.ts'
import type { MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import type { MemoryServerDisk } from './fakes/memory-server-disk.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let ann: Client
let engine: MemoryContainerEngine
let disk: MemoryServerDisk
/** Offset of the panel clock in milliseconds. */
let later = 0
const [hour, day] = [3600_000, 24 * 3600_000]
const gibibyte = 2 ** 30

beforeAll(async () => {
  panel = await createTestPanel({ KEEP_RELEASES: '2' }, { now: () => new Date(Date.now() + later) })
  engine = panel.deps.engine as MemoryContainerEngine
  disk = panel.deps.serverDisk as MemoryServerDisk
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  await ensureNode(panel.deps.db, panel.deps.nodeId)
})
afterAll(() => panel.close())
beforeEach(async () => {
  const { db } = panel.deps
  for (const table of [diskCleanups, diskMeasurements, metricHalfHours, restores, deployments]) await db.delete(table)
  engine.images.clear()
  engine.fail = undefined
  disk.entries.length = 0
  disk.sizes.clear()
  disk.emptied.length = 0
  later = 0
})

const show = async () => (await admin.request('GET', '/api/system/disk')).json<ServerDisk>()
const preview = async () => {
  const { groups } = (await admin.request('GET', '/api/system/disk/cleanup')).json<DiskCleanupPreview>()
  return Object.fromEntries(groups.map((group) => [group.kind, group]))
}
const start = (kinds: readonly string[], by = admin) => by.request('POST', '/api/system/disk/cleanup', { kinds })
const signal = new AbortController().signal
const clean = async (kinds: readonly string[]) => {
  expect((await start(kinds)).statusCode).toBe(202)
  await runCleanup(panel.deps, { signal })
  return (await show()).cleanup!
}

interface ImageValues {
  tag?: string
  parentId?: string
  sizeBytes?: number
  project?: string
  labels?: Record<string, string>
}
let images = 0
function addImage({ tag, parentId, sizeBytes = 100, project, labels }: ImageValues): string {
  const id = `sha256:${(++images).toString(16).padStart(64, '0')}`
  const ours = { [label.instance]: panel.deps.instanceId, ...(project && { [label.project]: project }) }
  engine.images.set(id, {
    id,
    parentId,
    tags: tag === undefined ? [] : [tag],
    labels: labels ?? ours,
    sizeBytes,
    createdAt: new Date(),
    architecture: 'amd64',
    exposedPorts: [],
    user: '',
    onBuild: false,
    layers: [],
    isLocal: true
  })
  return id
}
async function addRelease(projectId: string, name: string): Promise<string> {
  const tag = `panel-${projectId.toLowerCase()}:${name}`
  addImage({ tag, project: projectId })
  const values = {
    id: newId(),
    projectId,
    userId: ann.user.id,
    trigger: 'MANUAL',
    status: 'RUNNING',
    image: tag
  } as const
  await panel.deps.db.insert(deployments).values(values)
  return tag
}
const tagsLeft = () => [...engine.images.values()].flatMap(({ tags }) => tags)

function addEntry(path: string, { hoursOld = 48, bytes = 4096, isDirectory = true } = {}): string {
  const modifiedAt = new Date(Date.now() - hoursOld * hour)
  disk.entries.push({ name: path.split('/').at(-1)!, path, bytes, modifiedAt, isDirectory })
  disk.sizes.set(path, bytes)
  return path
}

describe('usage', () => {
  test('is unknown before the first measurement', async () => {
    expect(await show()).toMatchObject({ measuredAt: null, disks: [], projects: [], forecast: null, cleanup: null })
  })

  test('by kind and project, on each disk', async () => {
    const { config } = panel.deps
    const { id, name } = await ann.createProject()
    disk.sizes.set(storeDirectory(config), 3 * gibibyte)
    const measure = disk.measure
    disk.measure = async (directories) => {
      const mine = directories.find((path) => path.endsWith(`/${name}`))!
      return new Map([...(await measure(directories)), [mine, 5 * gibibyte]])
    }
    addImage({ tag: 'panel-x:1', project: id, sizeBytes: 2 * gibibyte })
    addImage({ project: id, sizeBytes: gibibyte })
    addImage({ tag: 'node:24', labels: {}, sizeBytes: gibibyte })
    await measureDisksNow(panel.deps)
    disk.measure = measure
    const { disks, projects } = await show()
    expect(disks).toMatchObject([{ path: '/', isPanels: true, totalBytes: 100 * gibibyte, usedBytes: 40 * gibibyte }])
    expect(disks[0]!.kinds.filter(({ bytes }) => bytes > 0)).toEqual([
      { kind: 'OTHER', bytes: 28 * gibibyte },
      { kind: 'PROJECTS', bytes: 5 * gibibyte },
      { kind: 'STORE', bytes: 3 * gibibyte },
      { kind: 'IMAGES', bytes: 2 * gibibyte },
      { kind: 'BUILD_CACHE', bytes: gibibyte },
      { kind: 'OTHER_IMAGES', bytes: gibibyte }
    ])
    expect(projects.find((project) => project.id === id)).toEqual({
      id,
      name,
      filesBytes: 5 * gibibyte,
      imagesBytes: 3 * gibibyte,
      bytes: 8 * gibibyte
    })
  })

  test('the rest is measured while the container engine is unavailable', async () => {
    engine.fail = 'unreachable'
    disk.sizes.set(storeDirectory(panel.deps.config), gibibyte)
    await measureDisksNow(panel.deps)
    expect((await show()).disks[0]!.kinds).toContainEqual({ kind: 'STORE', bytes: gibibyte })
  })

  test('is measured again only when it is due', async () => {
    const measure = () => measureServerDisk(panel.deps, { everySeconds: 3600 })
    await measure()
    const first = (await show()).measuredAt
    later = hour / 2
    await measure()
    expect((await show()).measuredAt).toBe(first)
    later = hour
    await measure()
    expect((await show()).measuredAt).not.toBe(first)
  })
})

describe('a cleanup', () => {
  test('of releases keeps the latest of each project and the live one', async () => {
    const { id } = await ann.createProject()
    const tags = []
    for (const name of ['1', '2', '3', '4']) tags.push(await addRelease(id, name))
    const orphan = `panel-${id.toLowerCase()}:gone`
    addImage({ tag: orphan, project: id })
    expect((await preview()).RELEASES).toMatchObject({ count: 3, bytes: 300, isRecommended: true, problem: null })
    expect(tagsLeft()).toHaveLength(5)
    const { status, results } = await clean(['RELEASES'])
    expect([status, results]).toEqual([
      'COMPLETED',
      [{ kind: 'RELEASES', total: 3, removed: 3, failed: 0, bytes: 300, problem: null }]
    ])
    expect(tagsLeft()).toEqual(tags.slice(2))
    // No rollback offers what is gone.
    const rows = await panel.deps.db.select({ image: deployments.image }).from(deployments)
    expect(rows.filter(({ image }) => image !== null)).toHaveLength(2)
  })

  test('of the build cache keeps what releases are built on, and projects that build', async () => {
    const { id } = await ann.createProject()
    const building = (await ann.createProject()).id
    await panel.deps.db.insert(deployments).values({ id: newId(), projectId: building, userId: ann.user.id, trigger: 'MANUAL', status: 'BUILDING' }) // oxfmt-ignore
    const base = addImage({ project: id })
    addImage({ tag: `panel-${id.toLowerCase()}:1`, parentId: base, project: id, sizeBytes: 150 })
    addImage({ project: id, sizeBytes: 70 })
    const used = addImage({ project: building })
    expect((await preview()).BUILD_CACHE).toMatchObject({ count: 1, bytes: 70 })
    await clean(['BUILD_CACHE'])
    expect([...engine.images.keys()]).toEqual([base, expect.anything(), used])
  })

  test('leaves images alone that the panel did not make, unless they are chosen', async () => {
    addImage({ tag: 'other/tool:1', labels: {}, sizeBytes: 700 })
    addImage({ tag: 'another-panel:1', labels: { [label.instance]: 'another' } })
    const node = panel.deps.config.BUILD_IMAGE_NODE.replace('{version}', '24')
    addImage({ tag: node, labels: {} })
    expect((await preview()).OTHER_IMAGES).toMatchObject({ count: 1, bytes: 700, isRecommended: false })
    await clean(['BUILD_CACHE', 'RELEASES', 'LEFTOVERS', 'LOGS', 'BACKUP_CACHE'])
    expect(tagsLeft()).toHaveLength(3)
    await clean(['OTHER_IMAGES'])
    expect(tagsLeft()).toEqual(['another-panel:1', node])
  })

  test('of leftovers keeps what a restore can undo, and what is recent', async () => {
    const root = stagingRoot(panel.deps.config)
    const { id } = await ann.createProject()
    const restore = {
      projectId: id,
      userId: ann.user.id,
      backupId: newId(),
      kind: 'FILES',
      status: 'COMPLETED'
    } as const
    const [kept, over] = [newId(), newId()]
    const undoUntil = new Date(Date.now() + day)
    await panel.deps.db.insert(restores).values({ ...restore, id: kept, undoUntil })
    await panel.deps.db.insert(restores).values({ ...restore, id: over })
    addEntry(join(root, `restore-${kept}`))
    addEntry(join(root, `restore-${over}`))
    addEntry(join(root, 'unknown'))
    addEntry(join(root, 'files', 'old'))
    addEntry(join(root, 'files', 'young'), { hoursOld: 1 })
    for (const { path } of disk.entries) await mkdir(path, { recursive: true })
    const { LEFTOVERS } = await preview()
    expect(LEFTOVERS!.items.map(({ name }) => name).sort()).toEqual([join('files', 'old'), `restore-${over}`])
    expect(await clean(['LEFTOVERS'])).toMatchObject({ results: [{ removed: 2, bytes: 8192 }] })
    expect((await readdir(root)).sort()).toEqual(['files', `restore-${kept}`, 'unknown'])
    expect(await readdir(join(root, 'files'))).toEqual(['young'])
  })

  test('empties large logs', async () => {
    const at = (name: string) => join(panel.deps.config.DATA_DIR, name)
    addEntry(at('web.log'), { bytes: 5_000_000, isDirectory: false })
    addEntry(at('dockerd.log'), { bytes: 5_000, isDirectory: false })
    await clean(['LOGS'])
    expect(disk.emptied).toEqual([at('web.log')])
  })

  test('reports a kind that fails, and does the others', async () => {
    addEntry(join(panel.deps.config.DATA_DIR, 'web.log'), { bytes: 5_000_000, isDirectory: false })
    engine.fail = 'unreachable'
    expect((await preview()).BUILD_CACHE).toMatchObject({ count: 0, problem: expect.any(String) })
    const { status, results } = await clean(['BUILD_CACHE', 'LOGS'])
    expect(status).toBe('FAILED')
    expect(results.map(({ kind, removed, problem }) => [kind, removed, problem !== null])).toEqual([
      ['BUILD_CACHE', 0, true],
      ['LOGS', 1, false]
    ])
  })

  test('runs once at a time, and again after an interruption', async () => {
    const { id } = await ann.createProject()
    addImage({ project: id })
    expect((await start(['BUILD_CACHE', 'BUILD_CACHE'])).json<DiskCleanup>().kinds).toEqual(['BUILD_CACHE'])
    expect((await start(['LOGS'])).json()).toMatchObject({ code: 'CONFLICT' })
    await runCleanup(panel.deps, { signal: AbortSignal.abort() })
    expect([(await show()).cleanup!.status, engine.images.size]).toEqual(['RUNNING', 1])
    await recoverCleanup(panel.deps)
    await runCleanup(panel.deps, { signal })
    expect([(await show()).cleanup!.status, engine.images.size]).toEqual(['COMPLETED', 0])
    await runCleanup(panel.deps, { signal }) // a second job for it
    expect((await start(['LOGS'])).statusCode).toBe(202)
  })

  test('is in the audit log', async () => {
    await clean(['LOGS', 'LEFTOVERS'])
    const entries = await panel.audited({ action: 'server_disk.cleanup_started', actorId: admin.user.id })
    expect(entries.at(-1)!.metadata).toEqual({ kinds: ['LOGS', 'LEFTOVERS'] })
  })

  test.each([[[]], [['EVERYTHING']], [['LOGS', 'PROJECTS']]])('of %j is refused', async (kinds) =>
    expect((await start(kinds)).json()).toMatchObject({ code: 'VALIDATION_ERROR' })
  )

  test('is for administrators', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/measure'],
      ['GET', '/cleanup']
    ] as const)
      expect((await ann.request(method, `/api/system/disk${path}`)).json()).toMatchObject({ code: 'FORBIDDEN_ROLE' })
    expect((await start(['LOGS'], ann)).json()).toMatchObject({ code: 'FORBIDDEN_ROLE' })
  })
})

describe('a disk that fills up', () => {
  const grow = async (perDay: number) => {
    const rows = Array.from({ length: 7 * 48 }, (_, i) => {
      const recordedAt = new Date(Date.now() + later - (7 * 48 - i) * (hour / 2))
      const diskUsed = Math.round(40 * gibibyte - (7 - i / 48) * perDay)
      return { nodeId: panel.deps.nodeId, recordedAt, lastId: i, diskUsed, diskTotal: 100 * gibibyte }
    })
    await panel.deps.db.delete(metricHalfHours)
    await panel.deps.db.insert(metricHalfHours).values(rows)
  }
  const alerts = async () => {
    const { notifications } = (await admin.request('GET', '/api/notifications')).json<NotificationList>()
    return notifications.filter(({ kind }) => kind === 'disk-nearly-full').map(({ state }) => state)
  }
  const attention = async () => {
    const { items } = (await admin.request('GET', '/api/overview')).json<Overview>()
    return items
      .filter(({ targetType }) => targetType === 'disk')
      .map(({ code, title, detail }) => [code, title, detail])
  }

  test('is forecast, and administrators are notified once, and once when it has ended', async () => {
    await grow(10 * gibibyte)
    await measureDisksNow(panel.deps)
    expect((await show()).forecast!.daysUntilFull).toBeCloseTo(5.5, 0)
    expect(await attention()).toEqual([['DISK_FILLING_UP', '/', '5']])
    await measureDisksNow(panel.deps)
    expect(await alerts()).toEqual(['problem'])
    await grow(gibibyte)
    await measureDisksNow(panel.deps)
    expect(await alerts()).toEqual(['recovered', 'problem'])
    expect(await attention()).toEqual([])
  })

  test('other disks have the same threshold as the panel’s', async () => {
    const before = (await alerts()).length
    disk.fileSystems.set(panel.deps.config.PROJECTS_DIR, {
      device: 2,
      mountPoint: '/srv/projects',
      totalBytes: 100,
      usedBytes: 95,
      freeBytes: 5
    })
    await measureDisksNow(panel.deps)
    disk.fileSystems.delete(panel.deps.config.PROJECTS_DIR)
    expect((await alerts()).length).toBe(before + 1)
    expect(await attention()).toEqual([['DISK_NEARLY_FULL', '/srv/projects', null]])
    expect((await show()).disks.map(({ path, isPanels }) => [path, isPanels])).toEqual([
      ['/', true],
      ['/srv/projects', false]
    ])
  })
})
