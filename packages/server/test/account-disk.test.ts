import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DiskUsage } from '@panel/contract/disk-usage'
import type { NotificationList } from '@panel/contract/notifications'
import { measureContainers } from '../src/features/container-disk/container-disk.jobs.ts'
import { watchFreeSpace } from '../src/features/container-disk/free-space.watch.ts'
import { measureDisk } from '../src/features/disk-usage/measuring.jobs.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { createMemoryAccountDisk } from './fakes/memory-account-disk.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'
import { renewable } from './support/renewable.ts'

const mebibyte = 2 ** 20
let panel: TestPanel
let admin: Client
let ann: Client
let bob: Client
const { fake: disk, renew: renewDisk } = renewable(createMemoryAccountDisk)
const { fake: engine, renew: renewEngine } = renewable(createMemoryEngine)
let now = new Date()
let uid: number
beforeAll(async () => {
  const env = { DISK_GRACE_SECONDS: '3600', CONTAINER_DISK_LIMIT: '50m', CONTAINER_FILES_LIMIT: '1001' }
  panel = await createTestPanel(env, { accountDisk: disk, engine, now: () => now })
})
beforeEach(async () => {
  renewDisk()
  renewEngine()
  now = new Date()
  await panel.empty()
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  uid = await uidOf(ann)
})
afterAll(() => panel.close())

const uidOf = async ({ user }: Client) => {
  const { rows } = await panel.deps.db.execute<{ uid: number }>(sql`select uid from users where id = ${user.id}`)
  return rows[0]!.uid
}
const limitTo = async (maxDiskMb: number | null) => {
  const answer = await admin.request('PATCH', `/api/users/${ann.user.id}/quotas`, { maxDiskMb })
  expect([answer.statusCode, answer.json().maxDiskMb]).toEqual([200, maxDiskMb])
}
const measure = async (megabytes?: number) => {
  if (megabytes !== undefined) disk.used.set(uid, megabytes * mebibyte)
  await measureContainers(panel.deps).catch(() => {})
  await measureDisk(panel.deps)
}
const usage = async (client = ann, of = 'me') =>
  (await client.request('GET', `/api/users/${of}/disk`)).json<DiskUsage>()
const bytesOf = ({ kinds }: DiskUsage) => Object.fromEntries(kinds.map(({ kind, bytes }) => [kind, bytes]))
const codeOf = async (client: Client, method: 'POST' | 'DELETE', url: string, body?: object) => {
  const answer = await client.request(method, url, body)
  return answer.statusCode < 300 ? answer.statusCode : [answer.statusCode, answer.json().code]
}
const pass = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000))
const runningProject = async (client: Client) => {
  const { id } = await client.createProject()
  const { rows } = await panel.deps.db.execute<{ uid: number }>(sql`select uid from users where id = ${client.user.id}`)
  const deploymentId = (await panel.deps.db.execute<{ id: string }>(sql`insert into deployments (id, project_id, user_id, status, trigger) values (${`d-${id}`}, ${id}, ${client.user.id}, 'RUNNING', 'MANUAL') returning id`)).rows[0]!.id // oxfmt-ignore
  const labels = { [label.instance]: 'test', [label.project]: id, [label.deployment]: deploymentId, [label.account]: String(rows[0]!.uid) } // oxfmt-ignore
  await engine.ensureNetwork('n', { [label.instance]: 'test' })
  await engine.importImage(Readable.from([]), 'base:1', [])
  const containerId = await engine.createContainer({ name: `c-${id}`, image: 'base:1', labels, env: {}, user: '1:1', network: 'n', address: '172.30.0.9', containerPort: 80, memoryBytes: 1, cpus: 1, pids: 1, readOnlyRoot: true, volumes: [], binds: [] }) // oxfmt-ignore
  await panel.deps.db.execute(
    sql`update projects set container_id = ${containerId}, live_deployment_id = ${deploymentId} where id = ${id}`
  )
  return { id, containerId, deploymentId }
}
const notified = async (client: Client, id: string) =>
  (await client.request('GET', '/api/notifications?limit=100'))
    .json<NotificationList>()
    .notifications.filter(({ subject }) => subject.id === id)
    .map(({ kind, text }) => [kind, text.split('. ')[0]!.replace(/\.$/, '')])
    .sort()
const project = async (client: Client, id: string) =>
  (await client.request('GET', `/api/projects/${id}`)).json<{ status: string; stopReason: string | null }>()

test('usage by kind is visible to the owner, those below a reseller to it, and all to administrators', async () => {
  await limitTo(100)
  const { containerId } = await runningProject(ann)
  engine.written.set(containerId, 7 * mebibyte)
  await measure(20)
  const mine = await usage()
  expect(bytesOf(mine)).toEqual({
    FILES: 20 * mebibyte,
    CONTAINERS: 7 * mebibyte,
    IMAGES: 0,
    DATABASES: 0,
    LOGS: 0,
    MAIL: 0
  })
  expect(mine).toMatchObject({
    limitBytes: 100 * mebibyte,
    usedBytes: 27 * mebibyte,
    overSince: null,
    isHardLimit: false
  })
  expect(mine.kinds[0]!.measuredAt).toBe(now.toISOString())
  expect(await usage(admin, ann.user.id)).toEqual(mine)
  expect((await bob.request('GET', `/api/users/${ann.user.id}/disk`)).statusCode).toBe(403)
  expect(await usage(bob)).toMatchObject({ limitBytes: null, usedBytes: 0 })
})

test('an account over its limit can upload, build and create nothing, but free space', async () => {
  const { id } = await ann.createProject({ gitUrl: 'https://github.com/owner/repository' })
  await limitTo(10)
  await measure(11)
  const refused = [403, 'QUOTA_EXCEEDED']
  expect(await codeOf(ann, 'POST', `/api/files/${id}/mkdir`, { path: 'd' })).toEqual(refused)
  expect(await codeOf(ann, 'POST', `/api/files/${id}/write`, { path: 'f', content: 'x' })).toEqual(refused)
  expect(await codeOf(ann, 'POST', `/api/projects/${id}/build`)).toEqual(refused)
  expect(await codeOf(ann, 'POST', '/api/databases', { name: 'd', type: 'MYSQL' })).toEqual(refused)
  expect(await codeOf(ann, 'POST', `/api/projects/${id}/env`, { key: 'A', value: 'b' })).toBe(200)
  expect(await codeOf(ann, 'DELETE', `/api/files/${id}?path=f`)).toEqual([404, 'NOT_FOUND'])
  expect(await codeOf(bob, 'POST', `/api/files/${(await bob.createProject()).id}/mkdir`, { path: 'd' })).toBe(201)
  await measure(9)
  expect(await codeOf(ann, 'POST', `/api/files/${id}/mkdir`, { path: 'd' })).toBe(201)
})

test('new data counts before the next measurement', async () => {
  const { id } = await ann.createProject()
  await limitTo(3)
  await measure(0)
  const write = (path: string) =>
    codeOf(ann, 'POST', `/api/files/${id}/write`, { path, content: 'x'.repeat(1_900_000) })
  expect([await write('a'), await write('b')]).toEqual([200, 200])
  await expect.poll(() => write('c')).toEqual([403, 'QUOTA_EXCEEDED'])
})

describe('over the limit', () => {
  test('one warning; continued growth stops containers after a grace period, and they can be restarted', async () => {
    const site = await runningProject(ann)
    const other = await runningProject(bob)
    await limitTo(10)
    await measure(11)
    await measure(12)
    expect((await usage()).overSince).toBe(now.toISOString())
    expect(await panel.audited({ action: 'user.disk_exceeded' })).toHaveLength(1)
    pass(3599)
    await measure(13)
    expect(await project(ann, site.id)).toMatchObject({ status: 'ACTIVE', stopReason: null })
    pass(1)
    await measure(13)
    expect(await project(ann, site.id)).toMatchObject({ status: 'ACTIVE' })
    await measure(14)
    expect(await project(ann, site.id)).toMatchObject({ status: 'STOPPED', stopReason: 'CONTAINER_DISK_LIMIT' })
    expect(await project(bob, other.id)).toMatchObject({ status: 'ACTIVE' })
    expect((await panel.audited({ targetId: site.id, action: 'container.stopped' })).at(-1)).toMatchObject({
      actorId: null,
      metadata: { reason: 'CONTAINER_DISK_LIMIT' }
    })
    expect((await notified(ann, site.id)).map(([kind]) => kind)).toEqual(['container-stopped'])
    expect(await notified(bob, other.id)).toEqual([])
    await measure(5)
    expect((await usage()).overSince).toBeNull()
    await ann.request('POST', `/api/projects/${site.id}/container/start`)
    expect(await project(ann, site.id)).toMatchObject({ status: 'ACTIVE', stopReason: null })
  })
})

describe('a container of its own', () => {
  const logOf = async (deploymentId: string) => {
    const { rows } = await panel.deps.db.execute<{ text: string }>(
      sql`select string_agg(text, '' order by seq) as text from deployment_logs where deployment_id = ${deploymentId}`
    )
    return rows[0]!.text ?? ''
  }
  const warned = async () => (await usage()).containersNearLimit

  test('is warned near the limit and stopped above it; others keep running', async () => {
    const site = await runningProject(ann)
    const neighbour = await runningProject(ann)
    engine.written.set(site.containerId, 40 * mebibyte)
    await measure()
    expect([await warned(), await logOf(site.deploymentId)]).toEqual([[], ''])
    engine.written.set(site.containerId, 40 * mebibyte + 1)
    await measure()
    const warning = /^\nIt has written 40 MiB of the allowed 50 MiB\. It has 0 of the allowed 1001 files/
    expect(await logOf(site.deploymentId)).toMatch(warning)
    engine.written.set(site.containerId, 50 * mebibyte)
    await measure()
    expect(await warned()).toEqual([{
      projectId: site.id, deploymentId: site.deploymentId, bytes: 50 * mebibyte, limitBytes: 50 * mebibyte,
      files: 0, limitFiles: 1001, warnedAt: now.toISOString()
    }]) // oxfmt-ignore
    expect((await logOf(site.deploymentId)).split('It has written')).toHaveLength(2)
    expect(await project(ann, site.id)).toMatchObject({ status: 'ACTIVE', stopReason: null })
    engine.written.set(site.containerId, 50 * mebibyte + 1)
    await measure()
    expect(await project(ann, site.id)).toMatchObject({ status: 'STOPPED', stopReason: 'CONTAINER_DISK_LIMIT' })
    expect(await logOf(site.deploymentId)).toContain(
      'The container was stopped because it exceeded a disk limit. It has written'
    )
    expect((await panel.audited({ targetId: site.id, action: 'container.stopped' })).at(-1)).toMatchObject({
      actorId: null,
      metadata: { reason: 'CONTAINER_DISK_LIMIT', limitBytes: 50 * mebibyte }
    })
    expect(await project(ann, neighbour.id)).toMatchObject({ status: 'ACTIVE', stopReason: null })
    expect(await notified(ann, site.id)).toEqual([
      ['container-disk', 'It has written 40 MiB of the allowed 50 MiB'],
      ['container-stopped', 'The container was stopped because it exceeded a disk limit']
    ])
    expect(await notified(ann, neighbour.id)).toEqual([])
    expect(await notified(admin, site.id)).toEqual([])
  })

  test('is stopped for too many empty files', async () => {
    const site = await runningProject(ann)
    engine.filesMade.set(site.containerId, 801)
    await measure()
    expect(await warned()).toMatchObject([{ bytes: 0, files: 801, limitFiles: 1001 }])
    engine.filesMade.set(site.containerId, 1002)
    await measure()
    expect(await project(ann, site.id)).toMatchObject({ status: 'STOPPED', stopReason: 'CONTAINER_FILES_LIMIT' })
  })

  test('has the limit of the size of its project, within the disk quota of the account', async () => {
    const site = await runningProject(ann)
    const resize = async (diskMb: number) => {
      const size = { memoryMb: 128, cpus: 1, diskMb }
      return (await ann.request('PUT', `/api/projects/${site.id}`, { size })).statusCode
    }
    await limitTo(100)
    expect([await resize(101), await resize(100)]).toEqual([403, 200])
    engine.written.set(site.containerId, 79 * mebibyte)
    await measure()
    expect(await usage()).toMatchObject({ containersNearLimit: [] })
    engine.written.set(site.containerId, 81 * mebibyte)
    await measure()
    expect((await usage()).containersNearLimit).toMatchObject([{ limitBytes: 100 * mebibyte }])
    engine.written.set(site.containerId, 101 * mebibyte)
    await measure()
    expect((await ann.request('GET', `/api/projects/${site.id}`)).json()).toMatchObject({ status: 'STOPPED', stopReason: 'CONTAINER_DISK_LIMIT' }) // oxfmt-ignore
  })

  test('a draining container stops nothing; a removed one is not reported', async () => {
    const site = await runningProject(ann)
    const labels = { [label.instance]: 'test', [label.project]: site.id, [label.deployment]: 'd-0', [label.account]: String(uid) } // oxfmt-ignore
    const { spec } = engine.containers.get(site.containerId)!
    const draining = await engine.createContainer({ ...spec, name: 'draining', labels })
    engine.written.set(draining, 60 * mebibyte)
    await measure()
    expect(await project(ann, site.id)).toMatchObject({ status: 'ACTIVE', stopReason: null })
    expect(bytesOf(await usage())).toMatchObject({ CONTAINERS: 60 * mebibyte })
    expect(await warned()).toHaveLength(1)
    await engine.removeContainer(draining)
    await measure()
    expect(await warned()).toEqual([])
    expect(bytesOf(await usage())).toMatchObject({ CONTAINERS: 0 })
  })

  test('the engine is queried once for all accounts', async () => {
    for (let each = 0; each < 3; each++) await runningProject(each === 0 ? ann : bob)
    let lists = 0
    const { listContainerSizes } = engine
    engine.listContainerSizes = (labels) => {
      lists++
      return listContainerSizes(labels)
    }
    await panel.deps.db.execute(
      sql`insert into users (id, email, name, password_hash, role) select 'u' || n, 'u' || n || '@example.com', 'u' || n, 'x', 'USER' from generate_series(1, 150) n` // oxfmt-ignore
    )
    await measure()
    expect(lists).toBe(1)
  })
})

test('with file system quotas, the rest of the limit is enforced; an engine that is down changes nothing', async () => {
  disk.limits = new Map()
  const { containerId } = await runningProject(ann)
  engine.written.set(containerId, 4 * mebibyte)
  await limitTo(10)
  await measure(6)
  expect(bytesOf(await usage())).toMatchObject({ FILES: 2 * mebibyte, CONTAINERS: 4 * mebibyte })
  expect([disk.limits.get(uid), (await usage()).isHardLimit]).toEqual([10 * mebibyte, true])
  engine.fail = 'unreachable'
  await measure(7)
  expect(bytesOf(await usage())).toMatchObject({ CONTAINERS: 4 * mebibyte })
  await limitTo(null)
  await measure()
  expect(disk.limits.get(uid)).toBeNull()
})

test('with file system quotas, image files of the account count once, as image', async () => {
  disk.limits = new Map()
  const { id, deploymentId } = await runningProject(ann)
  await panel.deps.db.execute(sql`update deployments set image = 'site:1' where id = ${deploymentId}`)
  const step = (name: string, createdBy: string, megabytes: number) => ({ id: name, createdBy: `/bin/sh -c #(nop) ${createdBy}`, sizeBytes: megabytes * mebibyte, builder: 'classic' as const }) // oxfmt-ignore
  engine.layers.set('site:1', [
    step('c', `COPY --chown=${uid}:${uid} dir:1 in /app/ `, 3),
    step('b', `COPY --chown=1${uid}:1${uid} dir:2 in /app/ `, 5),
    step('a', 'COPY dir:3 in /opt/tools/ ', 7)
  ])
  await limitTo(20)
  await measure(8)
  expect(bytesOf(await usage())).toMatchObject({ FILES: 5 * mebibyte })
  await panel.deps.db.execute(sql`update projects set type = 'DOCKERFILE' where id = ${id}`)
  await measure(8)
  expect(bytesOf(await usage())).toMatchObject({ FILES: 8 * mebibyte })
})

describe('below a reseller with a disk limit', () => {
  const four = { maxProjects: 3, maxDomains: 3, maxDatabases: 3, maxMailboxes: 3 }
  const userByApi = (by: Client, name: string, values: object) =>
    by.request('POST', '/api/users', { name, email: `${name}@example.com`, password, ...values })

  test('new accounts with default quotas get the same disk limit', async () => {
    const reseller = await panel.createUser(admin, { role: 'RESELLER', maxDiskMb: 10_240 })
    for (const name of ['first', 'second'])
      expect((await userByApi(reseller, name, four)).json()).toMatchObject({ ...four, maxDiskMb: 10_240 })
    const { id } = (await userByApi(reseller, 'third', { ...four, maxProjects: 0 })).json<{ id: string }>()
    expect((await reseller.request('PATCH', `/api/users/${id}/quotas`, { maxProjects: 4 })).json()).toMatchObject({
      maxProjects: 4,
      maxDiskMb: 10_240
    })
  })

  test('an account gets no more than its reseller', async () => {
    const reseller = await panel.createUser(admin, { role: 'RESELLER', maxDiskMb: 100 })
    const below = await panel.createUser(reseller, { maxDiskMb: 60 })
    const change = (maxDiskMb: number | null) =>
      reseller.request('PATCH', `/api/users/${below.user.id}/quotas`, { maxDiskMb })
    const outcomes = await Promise.all([change(101), change(null), userByApi(reseller, 'more', { maxDiskMb: 101 })])
    for (const answer of outcomes) expect(answer.json().code).toBe('OVERSELL_NOT_ENABLED')
    expect((await change(100)).json().maxDiskMb).toBe(100)
  })

  test('combined usage of its accounts stays within its limit', async () => {
    const reseller = await panel.createUser(admin, { role: 'RESELLER', maxDiskMb: 10 })
    const [one, two] = [await panel.createUser(reseller), await panel.createUser(reseller)]
    const { id } = await two.createProject()
    const makeDirectory = (path: string) => codeOf(two, 'POST', `/api/files/${id}/mkdir`, { path })
    disk.used.set(await uidOf(one), 9 * mebibyte)
    await measure()
    expect(await makeDirectory('a')).toBe(201)
    disk.used.set(await uidOf(two), mebibyte)
    await measure()
    expect(await makeDirectory('b')).toEqual([403, 'QUOTA_EXCEEDED'])
    await admin.request('PATCH', `/api/users/${reseller.user.id}/quotas`, { maxDiskMb: 11 })
    expect(await makeDirectory('b')).toBe(201)
    await admin.request('PATCH', `/api/users/${admin.user.id}/quotas`, { maxDiskMb: 1 })
    expect(await makeDirectory('c')).toBe(201)
  })
})

test('a full engine disk triggers a measurement immediately', async () => {
  let free = 10_000 * mebibyte
  const enqueued: string[] = []
  const watch = watchFreeSpace({
    ...panel.deps,
    freeDiskBytes: async () => free,
    jobs: { ...panel.deps.jobs, enqueue: async (_trx, queue) => void enqueued.push(queue) }
  })
  try {
    await watch.begin()
    free -= 50 * mebibyte
    await watch.check()
    expect(enqueued).toEqual([])
    free -= 1
    await watch.check()
    await watch.check()
    expect(enqueued).toEqual(['container-disk.measure'])
    await watch.begin()
    free += 500 * mebibyte
    await watch.check()
    free -= 51 * mebibyte
    await watch.check()
    expect(enqueued).toHaveLength(2)
  } finally {
    await watch.close()
  }
})
