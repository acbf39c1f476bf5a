import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NotificationList } from '@panel/contract/notifications'
import type { ProjectVolume, VolumeList } from '@panel/contract/volumes'
import { deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { volumes } from '../src/db/schema/volumes.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { reconcileMounts } from '../src/features/deployments/volumes.reconcile.ts'
import { purgeProject } from '../src/features/projects/purge.jobs.ts'
import { measureVolumes } from '../src/features/volumes/measuring.jobs.ts'
import { removeUnmounted } from '../src/features/volumes/removal.reconcile.ts'
import { exists } from '../src/infra/disk/exists.ts'
import { projectDirectory } from '../src/process/paths.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import type { MemoryServerDisk } from './fakes/memory-server-disk.ts'
import { deployedSite, type DeployedSite } from './support/deployed-site.ts'
import { codeOf, tarOf } from './support/files.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { renewable } from './support/renewable.ts'

const kept = { image: 'site', imageSpec: { port: 8080, readOnlyRoot: false, volumes: [], filesAt: '/data' } }
const mebibyte = 2 ** 20

let panel: TestPanel
let ann: Client
const { fake: engine, renew } = renewable(createMemoryEngine)
let site: DeployedSite
let now = new Date()
beforeAll(async () => {
  panel = await createTestPanel({}, { engine, now: () => now })
})
beforeEach(async () => {
  now = new Date()
  renew()
  await panel.empty()
  ann = await panel.signUp('ann')
  site = await deployedSite(panel, ann, engine)
  await engine.pullImage('site', () => {})
  await panel.deps.db.update(deployments).set(kept).where(eq(deployments.projectId, site.id))
})
afterAll(() => panel.close())

const base = () => `/api/projects/${site.id}/volumes`
const create = (values: object = {}) =>
  ann.request('POST', base(), { name: 'uploads', path: '/app/uploads', ...values })
const list = async () => (await ann.request('GET', base())).json<VolumeList>().volumes
const directoryOf = ({ id }: { id: string }) => projectDirectory(panel.deps.config, id)
const setStatus = (status: 'ACTIVE' | 'STOPPED') =>
  panel.deps.db.update(projects).set({ status }).where(eq(projects.id, site.id))
const countDeployments = async () =>
  (await panel.deps.db.select().from(deployments).where(eq(deployments.projectId, site.id))).length

async function release() {
  const buildNetworks = { acquire: () => Promise.reject(new Error('nothing is built here')) }
  const worker = { signal: new AbortController().signal, lease: { workerId: 1 }, buildNetworks }
  now = new Date(now.getTime() + 1000)
  await runQueue(panel.deps, worker, 'image')
}
async function created(values: object = {}): Promise<ProjectVolume> {
  const answer = await create(values)
  expect(answer.statusCode).toBe(201)
  return answer.json<ProjectVolume>()
}
const mountsOfLive = async () => {
  const [row] = await panel.deps.db.select().from(projects).where(eq(projects.id, site.id))
  return engine.containers.get(row!.containerId!)!.spec.binds
}

test('a volume is mounted by new containers that replace the running ones, without a build', async () => {
  const volume = await created()
  expect(volume).toMatchObject({ name: 'uploads', path: '/app/uploads', sizeMb: 1024, isMounted: false })
  await release()
  expect(await mountsOfLive()).toContainEqual({ source: directoryOf(volume), target: '/app/uploads' })
  expect(await list()).toMatchObject([{ id: volume.id, isMounted: true }])
})

test('the first container fills it with what the image has there, and no later one does', async () => {
  const tar = await tarOf([['uploads/a.txt', 'image']])
  engine.imageFiles.set('/app/uploads', () => Readable.from([tar]))
  const volume = await created()
  await release()
  const file = join(directoryOf(volume), 'a.txt')
  expect(await readFile(file, 'utf8')).toBe('image')
  await writeFile(file, 'changed')
  await create({ name: 'cache', path: '/cache' })
  await release()
  expect(await readFile(file, 'utf8')).toBe('changed')
})

test('what its owner uploaded before the first container is kept', async () => {
  const tar = await tarOf([['uploads/a.txt', 'image']])
  engine.imageFiles.set('/app/uploads', () => Readable.from([tar]))
  const volume = await created()
  const put = { path: 'mine.txt', content: 'mine' }
  expect((await ann.request('POST', `/api/files/${volume.id}/create`, put)).statusCode).toBe(201)
  await release()
  expect(await readFile(join(directoryOf(volume), 'mine.txt'), 'utf8')).toBe('mine')
  expect(await exists(join(directoryOf(volume), 'a.txt'))).toBe(false)
})

test('a change while the project is stopped takes effect once it runs again, and only once', async () => {
  await setStatus('STOPPED')
  now = new Date(now.getTime() + 1000)
  await created()
  const before = await countDeployments()
  await reconcileMounts(panel.deps)
  expect(await countDeployments()).toBe(before)
  await setStatus('ACTIVE')
  await reconcileMounts(panel.deps)
  engine.fail = 'start'
  await release()
  await reconcileMounts(panel.deps)
  expect(await countDeployments()).toBe(before + 1)
})

describe('rules', () => {
  test.each([
    ['a name twice', { path: '/other' }, 409],
    ['a path inside of another volume', { name: 'b', path: '/app/uploads/b' }, 409],
    ['a path of the system', { name: 'b', path: '/etc/b' }, 400],
    ['a relative path', { name: 'b', path: 'b' }, 400],
    ['the code of the application', { name: 'b', path: '/srv' }, 409]
  ])('%s', async (_what, values, status) => {
    await created()
    expect((await create(values)).statusCode).toBe(status)
  })

  test('at most ten for a project', async () => {
    for (let at = 0; at < 10; at++) await created({ name: `v${at}`, path: `/v${at}` })
    expect(codeOf(await create())).toEqual([403, 'QUOTA_EXCEEDED'])
  })

  test('another account neither sees nor changes nor reads it', async () => {
    const volume = await created()
    const bob = await panel.signUp('bob')
    expect((await bob.request('GET', base())).statusCode).toBe(403)
    expect((await bob.request('PATCH', `${base()}/uploads`, { sizeMb: 5 })).statusCode).toBe(403)
    expect((await bob.request('DELETE', `${base()}/uploads`, { name: 'uploads' })).statusCode).toBe(403)
    expect((await bob.request('GET', `/api/files/${volume.id}/list`)).statusCode).toBe(404)
  })
})

describe('size', () => {
  const full = async () => {
    const volume = await created({ sizeMb: 1 })
    const content = 'x'.repeat(mebibyte)
    await ann.request('POST', `/api/files/${volume.id}/create`, { path: 'a', content })
    return volume
  }

  test('a full volume refuses writes of the panel until it has a larger size', async () => {
    const volume = await full()
    expect(await list()).toMatchObject([{ isFull: true }])
    const write = () => ann.request('POST', `/api/files/${volume.id}/create`, { path: 'b', content: 'b' })
    expect(codeOf(await write())).toEqual([403, 'QUOTA_EXCEEDED'])
    expect((await ann.request('PATCH', `${base()}/uploads`, { sizeMb: 2 })).statusCode).toBe(200)
    expect((await write()).statusCode).toBe(201)
  })

  test('warns above it, and stops a project that keeps filling it', async () => {
    const volume = await full()
    const disk = panel.deps.serverDisk as MemoryServerDisk
    const measure = async (bytes: number, seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000)
      disk.sizes.set(`${directoryOf(volume)}/`, bytes)
      await measureVolumes(panel.deps)
    }
    const kinds = async () =>
      (await ann.request('GET', '/api/notifications')).json<NotificationList>().notifications.map(({ kind }) => kind)
    await measure(2 * mebibyte, 0)
    await measure(3 * mebibyte, 1)
    expect(await kinds()).toEqual(['volume-full'])
    await measure(4 * mebibyte, panel.deps.config.DISK_GRACE_SECONDS)
    expect(await kinds()).toEqual(['container-stopped', 'volume-full'])
    const [project] = await panel.deps.db.select().from(projects).where(eq(projects.id, site.id))
    expect(project).toMatchObject({ status: 'STOPPED', stopReason: 'VOLUME_SIZE' })
  })
})

describe('deletion', () => {
  const remove = (name = 'uploads') => ann.request('DELETE', `${base()}/uploads`, { name })

  test('needs the name', async () => {
    await created()
    expect(codeOf(await remove('upload'))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await list()).toHaveLength(1)
  })

  test('removes the files once no container mounts them', async () => {
    const volume = await created()
    await release()
    await writeFile(join(directoryOf(volume), 'a'), '')
    expect((await remove()).statusCode).toBe(200)
    expect(await list()).toEqual([])
    await removeUnmounted(panel.deps)
    expect(await exists(join(directoryOf(volume), 'a'))).toBe(true)
    await release()
    for (const [id, { spec }] of engine.containers)
      if (spec.labels['panel.volumes'] !== undefined) engine.containers.delete(id)
    await removeUnmounted(panel.deps)
    expect(await exists(directoryOf(volume))).toBe(false)
    expect(await panel.deps.db.select().from(volumes)).toEqual([])
  })

  test('of the project removes its volumes too', async () => {
    const volume = await created()
    await mkdir(join(directoryOf(volume), 'a'), { recursive: true })
    expect((await ann.request('DELETE', `/api/projects/${site.id}`)).statusCode).toBe(204)
    await purgeProject(panel.deps, site.id, {})
    expect(await exists(directoryOf(volume))).toBe(false)
  })
})
