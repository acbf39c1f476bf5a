import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { UsageSummary } from '@panel/contract/accounts'
import type { ProcessList } from '@panel/contract/processes'
import { deployments } from '../src/db/schema/deployments.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { readLogs } from '../src/features/deployments/deployments.repository.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { deployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { renewable } from './support/renewable.ts'

let panel: TestPanel
let admin: Client
let ann: Client
const { fake: engine, renew } = renewable(createMemoryEngine)
beforeAll(async () => {
  const limits = { DEPLOY_MEMORY_LIMIT: '128m', DEPLOY_CPU_LIMIT: '1', WORKERS_PER_ACCOUNT: '20' }
  panel = await createTestPanel(limits, { engine })
})
beforeEach(async () => {
  renew()
  await panel.empty()
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

const limit = (quotas: object, of = ann) => admin.request('PATCH', `/api/users/${of.user.id}/quotas`, quotas)
const add = (id: string, values: object = {}, by = ann) =>
  by.request('POST', `/api/projects/${id}/processes`, { name: 'jobs', command: 'node jobs.js', ...values })
const change = (id: string, values: object, by = ann) =>
  by.request('PATCH', `/api/projects/${id}/processes/jobs`, values)
const outcome = (answer: Awaited<ReturnType<typeof add>>) =>
  answer.statusCode < 300 ? 'ok' : answer.json<{ code: string }>().code
const usage = async (by = ann) => (await by.request('GET', '/api/users/me/usage')).json<UsageSummary>().resources

test('a site and the instances of its workers share the quotas', async () => {
  await limit({ maxMemoryMb: 512, maxCpus: 2 })
  const { id } = await ann.createProject({ size: { memoryMb: 256, cpus: 1, pids: 64 } })
  expect(outcome(await add(id, { instances: 2, memoryMb: 64, cpus: 0.25 }))).toBe('ok')
  expect(await usage()).toMatchObject({ maxMemoryMb: { used: 384, limit: 512 }, maxCpus: { used: 1.5, limit: 2 } })
  const refused = await change(id, { instances: 5 })
  expect([refused.statusCode, outcome(refused)]).toEqual([403, 'QUOTA_EXCEEDED'])
  expect(outcome(await change(id, { memoryMb: 128 }))).toBe('ok')
  expect(outcome(await change(id, { cpus: 0.6 }))).toBe('QUOTA_EXCEEDED')
  const resized = await ann.request('PUT', `/api/projects/${id}`, { size: { memoryMb: 257, cpus: 1, pids: 64 } })
  expect(outcome(resized)).toBe('QUOTA_EXCEEDED')
  expect(outcome(await ann.request('POST', '/api/projects', { name: 'second', type: 'STATIC' }))).toBe('QUOTA_EXCEEDED')
})

test('a worker without a size counts with the limits of the server', async () => {
  await limit({ maxMemoryMb: 300 })
  const { id } = await ann.createProject()
  expect(outcome(await add(id))).toBe('ok')
  expect((await usage()).maxMemoryMb).toEqual({ used: 256, limit: 300 })
  expect(outcome(await change(id, { instances: 2 }))).toBe('QUOTA_EXCEEDED')
})

test('a quota below the usage removes nothing, and less is always allowed', async () => {
  const { id } = await ann.createProject()
  await add(id, { instances: 4 })
  await limit({ maxMemoryMb: 100 })
  expect(outcome(await change(id, { instances: 3 }))).toBe('ok')
  expect(outcome(await change(id, { instances: 4 }))).toBe('QUOTA_EXCEEDED')
})

test('scaling the same worker many times at once stays within the quota', async () => {
  await limit({ maxMemoryMb: 128 + 5 * 16 })
  const { id } = await ann.createProject()
  await add(id, { instances: 0, memoryMb: 16 })
  const others = Array.from({ length: 6 }, (_, at) => add(id, { name: `other${at}`, memoryMb: 16 }))
  const scalings = [1, 2, 3, 4, 5].map((instances) => change(id, { instances }))
  const outcomes = (await Promise.all([...others, ...scalings])).map(outcome)
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'QUOTA_EXCEEDED']))
  expect((await usage()).maxMemoryMb.used).toBeLessThanOrEqual(208)
})

test('the quota of a reseller counts the workers of all its accounts', async () => {
  const reseller = await panel.createUser(admin, { role: 'RESELLER', maxMemoryMb: 512 })
  const [one, two] = [await panel.createUser(reseller), await panel.createUser(reseller)]
  const { id } = await one.createProject()
  expect(outcome(await add(id, {}, one))).toBe('ok')
  const other = await two.createProject()
  expect(outcome(await add(other.id, { instances: 2 }, two))).toBe('QUOTA_EXCEEDED')
  expect((await usage(reseller)).maxMemoryMb).toEqual({ used: 0, limit: 512, pooledUsed: 384 })
})

async function releaseWith(id: string, processes: Record<string, string>, size: object) {
  await ann.request('PUT', `/api/projects/${id}`, { size })
  const imageSpec = { port: 80, readOnlyRoot: true, volumes: [], processes }
  const queued = and(eq(deployments.projectId, id), eq(deployments.status, 'QUEUED'))
  const [row] = await panel.deps.db.update(deployments).set({ imageSpec }).where(queued).returning()
  const buildNetworks = { acquire: () => Promise.reject(new Error('nothing is built here')) }
  await runQueue(panel.deps, { signal: new AbortController().signal, lease: { workerId: 1 }, buildNetworks }, 'image')
  const { processes: all } = (await ann.request('GET', `/api/projects/${id}/processes`)).json<ProcessList>()
  const counts = Object.fromEntries(all.filter(({ type }) => type === 'WORKER').map((each) => [each.name, each.instances])) // oxfmt-ignore
  return { counts, log: (await readLogs(panel.deps.db, [row!.id], 65_536)).get(row!.id)! }
}

test('a release starts only the new workers that have room, and says so in its log', async () => {
  const { id } = await deployedSite(panel, ann, engine)
  const kept = { image: 'panel-x:1', imageSpec: { port: 80, readOnlyRoot: true, volumes: [] } }
  await engine.pullImage(kept.image, () => {})
  await panel.deps.db.update(deployments).set(kept).where(eq(deployments.projectId, id))
  await limit({ maxMemoryMb: 300 })
  const first = await releaseWith(id, { a: 'node a.js', b: 'node b.js' }, { memoryMb: 128, cpus: 1, pids: 64 })
  expect(first.counts).toEqual({ a: 1, b: 0 })
  expect(first.log).toContain('b has 0 of 1 instances')
  // One that a later release has again must not exceed the quota either, and those that run are left as they are.
  await releaseWith(id, { b: 'node b.js' }, { memoryMb: 129, cpus: 1, pids: 64 })
  await ann.request('PATCH', `/api/projects/${id}/processes/b`, { instances: 1 })
  await limit({ maxMemoryMb: 200 })
  const again = await releaseWith(id, { a: 'node a.js', b: 'node b.js' }, { memoryMb: 127, cpus: 1, pids: 64 })
  expect(again.counts).toEqual({ a: 0, b: 1 })
})
