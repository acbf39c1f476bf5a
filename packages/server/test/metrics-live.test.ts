import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ContainerMetric, ServerMetrics } from '@panel/contract/monitoring'
import { projects } from '../src/db/schema/projects.ts'
import { createMemoryHostMetrics } from './fakes/memory-host-metrics.ts'
import { listen, type LiveTestClient, liveTestClients } from './support/live.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const hostMetrics = createMemoryHostMetrics()
let panel: TestPanel
/** A second panel whose rounds show that an interval has passed. */
let other: TestPanel
let admin: Client
let ann: Client
let bob: Client
let clock: LiveTestClient
const urls = { panel: '', other: '' }
const live = liveTestClients(() => urls.panel)
const elsewhere = liveTestClients(() => urls.other)
const ids: Record<'admin' | 'ann' | 'bob', string> = { admin: '', ann: '', bob: '' }
beforeAll(async () => {
  panel = await createTestPanel({ LIVE_CONNECTIONS_PER_ACCOUNT: '100' }, { hostMetrics })
  other = await createTestPanel()
  urls.panel = await listen(panel)
  urls.other = await listen(other)
  admin = await panel.signUp('admin')
  ann = await panel.createUser(admin)
  bob = await panel.createUser(admin)
  for (const [name, by] of Object.entries({ admin, ann, bob })) ids[name as keyof typeof ids] = await running(by)
  clock = await follow(await other.signUp('clock'), elsewhere)
})
afterEach(() => live.close())
afterAll(async () => {
  elsewhere.close()
  await other?.close()
  await panel?.close()
})

async function running(by: Client): Promise<string> {
  const { id } = await by.createProject()
  const containerId = randomBytes(32).toString('hex')
  await panel.deps.db.update(projects).set({ containerId }).where(eq(projects.id, id))
  const network = { received: 7, sent: 8 }
  hostMetrics.containers.set(containerId, { cpuSeconds: 5, memoryUsed: 1000, memoryLimit: 2000, network })
  return containerId
}
async function follow({ cookie }: Client, clients = live): Promise<LiveTestClient> {
  const client = await clients.connect({ cookie })
  expect(await client.ask('subscribe:metrics')).toMatchObject({ ok: true })
  return client
}
const lists = (client: LiveTestClient) =>
  (client.of('metrics:containers') as ContainerMetric[][]).map((list) => list.map(({ containerId }) => containerId).sort()) // oxfmt-ignore
const servers = (client: LiveTestClient) => client.of('metrics:server') as ServerMetrics[]
const hears = (client: LiveTestClient, rounds: number) =>
  expect.poll(() => lists(client).length).toBeGreaterThanOrEqual(rounds)
const roundsPass = (rounds: number) => hears(clock, lists(clock).length + rounds)

test('accounts follow their own containers, administrators all and the server', async () => {
  const [boss, hers, his] = [await follow(admin), await follow(ann), await follow(bob)]
  for (const client of [boss, hers, his]) await hears(client, 2)
  for (const list of lists(boss)) expect(list).toEqual(Object.values(ids).sort())
  for (const list of lists(hers)) expect(list).toEqual([ids.ann])
  for (const list of lists(his)) expect(list).toEqual([ids.bob])
  expect(servers(boss).at(-1)).toMatchObject({ cpuPercent: 50, ramTotal: 2 ** 32 })
  expect(servers(boss).length).toBeGreaterThan(1)
  for (const client of [hers, his]) {
    expect(new Set(client.heard.map(({ event }) => event))).toEqual(new Set(['metrics:containers']))
    expect(JSON.stringify(client.heard)).not.toContain(ids.admin)
  }
})

test('one reading per round serves all followers, none without', async () => {
  const many = await Promise.all(Array.from({ length: 20 }, (_, n) => follow([admin, ann, bob][n % 3]!)))
  const before = { ...hostMetrics.reads }
  const heard = lists(many[0]!).length
  for (const client of many) await hears(client, heard + 1)
  const most = Math.max(...many.map((client) => lists(client).length)) - heard
  expect(hostMetrics.reads.containers - before.containers).toBeLessThanOrEqual(most + 1)
  expect(hostMetrics.reads.host - before.host).toBeLessThanOrEqual(most + 1)

  for (const client of many.slice(0, 10)) expect(await client.ask('unsubscribe:metrics')).toMatchObject({ ok: true })
  for (const client of many.slice(10)) client.socket.disconnect()
  await roundsPass(1)
  const left = { ...hostMetrics.reads }
  const last = many.map((client) => client.heard.length)
  await roundsPass(1)
  expect(hostMetrics.reads).toEqual(left)
  expect(many.map((client) => client.heard.length)).toEqual(last)
})

test('a former administrator gets own metrics only', async () => {
  const chief = await panel.createUser(admin, { role: 'ADMIN' })
  const [his, hers] = [await follow(chief), await follow(ann)]
  await expect.poll(() => servers(his).length).toBeGreaterThan(0)
  const change = await admin.request('PATCH', `/api/users/${chief.user.id}/role`, { role: 'USER' })
  expect(change.statusCode, change.body).toBe(200)
  await expect.poll(() => lists(his).at(-1)).toEqual([])
  const [notified, round] = [servers(his).length, lists(hers).length]
  await hears(hers, round + 1)
  expect(servers(his)).toHaveLength(notified)
  expect(lists(his).slice(-2)).toEqual([[], []])
})
