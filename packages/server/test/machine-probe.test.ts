import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MachineDetails } from '@panel/contract/machines'
import { nodes } from '../src/db/schema/nodes.ts'
import { recordAway } from '../src/features/nodes/machine-changes.service.ts'
import { probeMachine } from '../src/features/nodes/machine-probe.service.ts'
import { checkMachine } from '../src/features/nodes/nodes.jobs.ts'
import { takeWorkerLease } from '../src/infra/worker-lease/worker-lease.ts'
import { type MemoryNodes, someFacts } from './fakes/memory-nodes.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { withResolvers } from './support/with-resolvers.ts'

const m2 = 'm2'
let panel: TestPanel
let admin: Client
let reachable: MemoryNodes
let stop: AbortController
let changes: string[]
let pings: number

beforeAll(async () => {
  panel = await createTestPanel()
  admin = await panel.signUp('admin')
  reachable = panel.deps.nodes as MemoryNodes
  panel.deps.events.subscribe({
    onEvent: (event) => {
      if (event.name === 'machine:changed') changes.push(event.data.id)
    }
  })
})
afterAll(() => panel.close())
beforeEach(async () => {
  changes = []
  pings = 0
  stop = new AbortController()
  await panel.deps.db.delete(nodes).where(eq(nodes.id, m2))
  await panel.deps.db.insert(nodes).values({ id: m2, name: m2, ssh: { host: 'm2', port: 22, hostKey: 'x' } })
  reachable.facts.set(m2, someFacts)
  reachable.adapters.delete(m2)
  await checkMachine(panel.deps, m2)
  // The bus connects with the first subscription.
  const publish = () => panel.deps.events.publish(panel.deps.db, { to: 'processes', name: 'machine:changed', data: { id: 'other' } }) // oxfmt-ignore
  await expect.poll(() => publish().then(() => changes)).toContain('other')
  changes = []
})
afterEach(() => stop.abort())

const reported = () => changes.filter((id) => id === m2)
const status = async () => (await admin.request('GET', `/api/machines/${m2}`)).json<MachineDetails>().machine.status
const version = async () =>
  (
    await panel.deps.db
      .select({ xmin: sql`xmin` })
      .from(nodes)
      .where(eq(nodes.id, m2))
  )[0]
const probe = () => {
  const forNode = async (id: string) => {
    const found = await reachable.forNode(id)
    const ping = async (timeoutMs: number) => {
      await found.ping(timeoutMs)
      pings++
    }
    return { ...found, ping }
  }
  const deps = { ...panel.deps, nodes: { ...reachable, forNode } }
  void probeMachine(deps, m2, stop.signal, { everyMs: 5, timeoutMs: 1000 })
}
const pinged = async (times: number) => {
  const before = pings
  await expect.poll(() => pings).toBeGreaterThan(before + times)
}

test('a machine that does not answer gets the status AWAY, and ACTIVE when it answers again; each is reported once', async () => {
  probe()
  await pinged(1)
  reachable.facts.delete(m2)
  await expect.poll(status).toBe('AWAY')
  await expect.poll(reported).toEqual([m2])
  const memory = { totalBytes: 2, usedBytes: 1 }
  reachable.facts.set(m2, { ...someFacts, memory })
  await expect.poll(status).toBe('ACTIVE')
  await expect.poll(reported).toEqual([m2, m2])
  const [row] = await panel.deps.db.select().from(nodes).where(eq(nodes.id, m2))
  expect(row).toMatchObject({ missedChecks: 0, problems: [], facts: { memory } })
})

test('nothing is written while it answers, and for two misses', async () => {
  const before = await version()
  probe()
  await pinged(3)
  let misses = 0
  const { facts } = reachable
  const get = facts.get.bind(facts)
  facts.get = (id) => (id === m2 && misses++ < 2 ? undefined : get(id))
  await pinged(3)
  facts.get = get
  expect(misses).toBeGreaterThan(2)
  expect(await version()).toEqual(before)
})

test('a machine that had the status AWAY when the panel started gets ACTIVE with its first answer', async () => {
  await recordAway(panel.deps, m2, 'no answer in time')
  expect(await status()).toBe('AWAY')
  probe()
  await expect.poll(status).toBe('ACTIVE')
})

test('a check that began before the machine was cut off does not bring it back', async () => {
  const engine = { ...panel.deps.engine }
  const asked = withResolvers<void>()
  const answer = withResolvers<string>()
  engine.ping = () => {
    asked.resolve()
    return answer.promise
  }
  reachable.adapters.set(m2, { ...panel.deps, engine })
  const checking = checkMachine(panel.deps, m2)
  await asked.promise
  await recordAway(panel.deps, m2, 'no answer in time')
  answer.resolve('1')
  await checking
  expect(await status()).toBe('AWAY')
  await checkMachine(panel.deps, m2)
  expect(await status()).toBe('ACTIVE')
})

test('of several workers the oldest one probes', async () => {
  const lost = () => {}
  const [first, second] = [
    await takeWorkerLease(panel.databaseUrl, lost),
    await takeWorkerLease(panel.databaseUrl, lost)
  ]
  expect([await first.isOldest(), await second.isOldest()]).toEqual([true, false])
  await first.close()
  await expect.poll(() => second.isOldest()).toBe(true)
  await second.close()
})
