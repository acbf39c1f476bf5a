import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DiskUsage } from '@panel/contract/disk-usage'
import { measureDisk } from '../src/features/disk-usage/measuring.jobs.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { createMemoryAccountDisk, type MemoryAccountDisk } from './fakes/memory-account-disk.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const mebibyte = 2 ** 20
let panel: TestPanel
let admin: Client
let ann: Client
let bob: Client
let disk: MemoryAccountDisk
let engine: MemoryContainerEngine
let now: Date
let uid: number
beforeEach(async () => {
  disk = createMemoryAccountDisk()
  engine = createMemoryEngine()
  now = new Date()
  const env = { DISK_GRACE_SECONDS: '3600', CONTAINER_DISK_LIMIT: '50m' }
  panel = await createTestPanel(env, { accountDisk: disk, engine, now: () => now })
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  const { rows } = await panel.deps.db.execute<{ uid: number }>(sql`select uid from users where id = ${ann.user.id}`)
  uid = rows[0]!.uid
})
afterEach(() => panel.close())

const limitTo = async (maxDiskMb: number | null) => {
  const answer = await admin.request('PATCH', `/api/users/${ann.user.id}/quotas`, { maxDiskMb })
  expect([answer.statusCode, answer.json().maxDiskMb]).toEqual([200, maxDiskMb])
}
const measure = (megabytes?: number) => {
  if (megabytes !== undefined) disk.used.set(uid, megabytes * mebibyte)
  return measureDisk(panel.deps)
}
const usage = async (client = ann, of = 'me') =>
  (await client.request('GET', `/api/users/${of}/disk`)).json<DiskUsage>()
const bytesOf = ({ kinds }: DiskUsage) => Object.fromEntries(kinds.map(({ kind, bytes }) => [kind, bytes]))
const codeOf = async (client: Client, method: 'POST' | 'DELETE', url: string, body?: object) => {
  const answer = await client.request(method, url, body)
  return answer.statusCode < 300 ? answer.statusCode : [answer.statusCode, answer.json().code]
}
const pass = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000))
/** A project whose container runs, as a deployment leaves it. */
const runningProject = async (client: Client) => {
  const { id } = await client.createProject()
  const { rows } = await panel.deps.db.execute<{ uid: number }>(sql`select uid from users where id = ${client.user.id}`)
  const labels = { [label.instance]: 'test', [label.project]: id, [label.account]: String(rows[0]!.uid) }
  await engine.ensureNetwork('n', { [label.instance]: 'test' })
  await engine.importImage(Readable.from([]), 'base:1', [])
  const containerId = await engine.createContainer({ name: `c-${id}`, image: 'base:1', labels, env: {}, user: '1:1', network: 'n', address: '172.30.0.9', containerPort: 80, memoryBytes: 1, cpus: 1, pids: 1, readOnlyRoot: true, volumes: [], binds: [] }) // prettier-ignore
  await panel.deps.db.execute(
    sql`update projects set container_id = ${containerId}, live_deployment_id = 'd' where id = ${id}`
  )
  return { id, containerId }
}
const project = async (client: Client, id: string) =>
  (await client.request('GET', `/api/projects/${id}`)).json<{ status: string; stopReason: string | null }>()

test('shows its owner what there is by kind, others below them alone, an ADMIN all', async () => {
  await limitTo(100)
  const { containerId } = await runningProject(ann)
  engine.written.set(containerId, 7 * mebibyte)
  await measure(20)
  const mine = await usage()
  expect(bytesOf(mine)).toEqual({ FILES: 20 * mebibyte, CONTAINERS: 7 * mebibyte, IMAGES: 0, DATABASES: 0, LOGS: 0 })
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

test('an account above its limit brings in no files, builds or databases, and can make room', async () => {
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

test('what comes in counts before it is measured again', async () => {
  const { id } = await ann.createProject()
  await limitTo(3)
  await measure(0)
  const write = (path: string) =>
    codeOf(ann, 'POST', `/api/files/${id}/write`, { path, content: 'x'.repeat(1_900_000) })
  expect([await write('a'), await write('b')]).toEqual([200, 200])
  await expect.poll(() => write('c')).toEqual([403, 'QUOTA_EXCEEDED'])
})

describe('above its limit', () => {
  test('is warned once; what goes on growing is stopped after the grace, with the reason, and may be started again', async () => {
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
    await measure(5)
    expect((await usage()).overSince).toBeNull()
    await ann.request('POST', `/api/projects/${site.id}/container/start`)
    expect(await project(ann, site.id)).toMatchObject({ status: 'ACTIVE', stopReason: null })
  })

  test('a container that has written too much is stopped at once', async () => {
    const site = await runningProject(ann)
    engine.written.set(site.containerId, 50 * mebibyte)
    await measure()
    expect(await project(ann, site.id)).toMatchObject({ status: 'ACTIVE' })
    engine.written.set(site.containerId, 50 * mebibyte + 1)
    await measure()
    expect(await project(ann, site.id)).toMatchObject({ status: 'STOPPED', stopReason: 'CONTAINER_DISK_LIMIT' })
  })
})

test('where the file system has quotas, it refuses what the rest leaves; an engine that is away changes nothing', async () => {
  disk.limits = new Map()
  const { containerId } = await runningProject(ann)
  engine.written.set(containerId, 4 * mebibyte)
  await limitTo(10)
  await measure(6)
  // The quota counts what the container has written too.
  expect(bytesOf(await usage())).toMatchObject({ FILES: 2 * mebibyte, CONTAINERS: 4 * mebibyte })
  expect([disk.limits.get(uid), (await usage()).isHardLimit]).toEqual([6 * mebibyte, true])
  engine.fail = 'unreachable'
  await measure(7)
  expect(bytesOf(await usage())).toMatchObject({ CONTAINERS: 4 * mebibyte })
  await limitTo(null)
  await measure()
  expect(disk.limits.get(uid)).toBeNull()
})

test('a reseller gives no more than it has', async () => {
  const reseller = await panel.createUser(admin, { role: 'RESELLER', maxDiskMb: 100 })
  const below = await panel.createUser(reseller, { maxDiskMb: 60, maxProjects: 1 })
  const more = (id: string, maxDiskMb: number | null) =>
    reseller.request('PATCH', `/api/users/${id}/quotas`, { maxDiskMb })
  expect((await more(below.user.id, 101)).json().code).toBe('OVERSELL_NOT_ENABLED')
  expect((await more(below.user.id, null)).json().code).toBe('OVERSELL_NOT_ENABLED')
  expect((await more(below.user.id, 100)).json().maxDiskMb).toBe(100)
})
