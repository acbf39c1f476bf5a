import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deploymentLogs, deployments } from '../src/db/schema/deployments.ts'
import { projects } from '../src/db/schema/projects.ts'
import { trafficPoints } from '../src/db/schema/traffic.ts'
import { listSlots } from '../src/features/containers/slot-access.ts'
import { reconcileContainers } from '../src/features/deployments/containers.reconcile.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { syncAllRoutes } from '../src/features/domains/routing.service.ts'
import { endpointOf } from '../src/features/domains/slot-endpoint.service.ts'
import { sleepIdleSites } from '../src/features/sleep/sleep.jobs.ts'
import { openWakeGate } from '../src/features/sleep/wake.service.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { createMemoryWakeGate } from './fakes/memory-wake-gate.ts'
import { deployedSite, type DeployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { renewable } from './support/renewable.ts'

const kept = { image: 'site', imageSpec: { port: 8080, readOnlyRoot: true, volumes: [] } }

let panel: TestPanel
let ann: Client
const { fake: engine, renew: renewEngine } = renewable(createMemoryEngine)
const { fake: proxy, renew: renewProxy } = renewable(createMemoryReverseProxy)
const { fake: gate, renew: renewGate } = renewable(createMemoryWakeGate)
let opened: ReturnType<typeof openWakeGate>
let site: DeployedSite
beforeAll(async () => {
  panel = await createTestPanel({}, { engine, proxy, wakeGate: gate })
})
beforeEach(async () => {
  for (const renew of [renewEngine, renewProxy, renewGate]) renew()
  await panel.empty()
  opened = openWakeGate(panel.deps)
  ann = await panel.signUp('ann')
  site = await deployedSite(panel, ann, engine)
  await panel.deps.db.update(deployments).set(kept).where(eq(deployments.projectId, site.id))
  await panel.deps.db
    .update(projects)
    .set({ deployedAt: new Date(Date.now() - 3600_000) })
    .where(eq(projects.id, site.id))
  await set({ sleepAfterMinutes: 10 })
  await syncAllRoutes(panel.deps)
})
afterEach(() => opened.close())
afterAll(() => panel.close())

const set = (body: object) => ann.request('PUT', `/api/projects/${site.id}`, body)
const sleep = () => ann.request('POST', `/api/projects/${site.id}/sleep`)
const act = (action: string) => ann.request('POST', `/api/projects/${site.id}/container/${action}`)
const view = async () =>
  (await ann.request('GET', `/api/projects/${site.id}`)).json<{ state: string; asleepSince: string | null }>()
const row = async () => (await panel.deps.db.select().from(projects).where(eq(projects.id, site.id)))[0]!
const route = () => proxy.find(site.hostname, '/')?.target
const isRunning = () => [...engine.containers.values()].map(({ state }) => state.running)
const reconcile = () => reconcileContainers(panel.deps, { stopped: new AbortController().signal })
const endpoint = async () =>
  endpointOf(
    panel.deps,
    (await listSlots(panel.deps.db, site.id)).find(({ retiredAt }) => retiredAt === null)!
  )
const knock = async () => gate.knock(await endpoint())
const countStarts = () => {
  const starts: string[] = []
  engine.afterStart = ({ spec }) => void starts.push(spec.name)
  return starts
}
async function release() {
  const buildNetworks = { acquire: () => Promise.reject(new Error('nothing is built here')) }
  await runQueue(panel.deps, { signal: new AbortController().signal, lease: { workerId: 1 }, buildNetworks }, 'image')
}

describe('a site falls asleep', () => {
  const idle = () => sleepIdleSites(panel.deps)
  const requestAt = (at: Date) =>
    panel.deps.db.insert(trafficPoints).values({
      ...{ projectId: site.id, at, seconds: 60, nodeId: panel.deps.nodeId, batch: String(at.getTime()) },
      ...{ requests: 1, clientErrors: 0, serverErrors: 0, bytesIn: 1, bytesOut: 1, times: [] }
    })
  const ago = (minutes: number) => new Date(panel.deps.now().getTime() - minutes * 60_000)

  test('after its time without a request, and reconcile leaves it so', async () => {
    await requestAt(ago(12))
    await idle()
    expect([isRunning(), route()]).toEqual([[false], { kind: 'sleeping', ...(await endpoint()) }])
    await reconcile()
    await reconcile()
    expect(isRunning()).toEqual([false])
    expect(await view()).toMatchObject({ state: 'SLEEPING', status: 'ACTIVE', containerStatus: 'exited' })
    const { items } = (await ann.request('GET', '/api/overview')).json<{ items: { targetId: string }[] }>()
    expect(items.filter(({ targetId }) => targetId === site.id)).toEqual([])
  })

  test('not with a recent request, an open connection, a deployment, or without the setting', async () => {
    await requestAt(ago(5))
    await idle()
    await panel.deps.db.delete(trafficPoints)
    const { address, port } = await endpoint()
    proxy.connections.set(`${address}:${port}`, 1)
    await idle()
    proxy.connections.clear()
    await panel.deps.db.update(deployments).set({ status: 'QUEUED' })
    await idle()
    await panel.deps.db.update(deployments).set({ status: 'RUNNING' })
    await set({ sleepAfterMinutes: null })
    await idle()
    expect([isRunning(), await view()]).toMatchObject([[true], { state: 'RUNNING', asleepSince: null }])
  })

  test('by request of its owner, unless it is in use', async () => {
    const { address, port } = await endpoint()
    proxy.connections.set(`${address}:${port}`, 1)
    expect((await sleep()).json()).toMatchObject({ code: 'CONFLICT' })
    proxy.connections.clear()
    expect((await sleep()).statusCode).toBe(200)
    expect((await sleep()).statusCode).toBe(200)
    expect(await panel.audited({ action: 'container.put_to_sleep' })).toHaveLength(1)
    await act('stop')
    expect((await sleep()).json()).toMatchObject({ code: 'CONFLICT' })
  })

  test('no sooner than its owner allows', async () => {
    await set({ sleepAfterMinutes: null })
    expect((await sleep()).json()).toMatchObject({ code: 'CONFLICT' })
    for (const sleepAfterMinutes of [0, 0.5, 10_081]) expect((await set({ sleepAfterMinutes })).statusCode).toBe(400)
  })

  test('and is stopped by reconcile if the panel was killed meanwhile', async () => {
    await panel.deps.db
      .update(projects)
      .set({ asleepSince: ago(5) })
      .where(eq(projects.id, site.id))
    await reconcile()
    expect(isRunning()).toEqual([false])
  })
})

describe('a sleeping site', () => {
  beforeEach(async () => {
    expect((await sleep()).statusCode).toBe(200)
  })

  test('is started once by many requests, which wait for it', async () => {
    const starts = countStarts()
    await Promise.all(Array.from({ length: 20 }, knock))
    expect([starts.length, isRunning(), route()]).toEqual([1, [true], { kind: 'container', ...(await endpoint()) }])
    expect(await view()).toMatchObject({ state: 'RUNNING', asleepSince: null })
    await sleepIdleSites(panel.deps)
    expect(isRunning()).toEqual([true])
  })

  test('that does not start is awake, and says why in its log', async () => {
    engine.afterStart = ({ state }) => void Object.assign(state, { running: false, status: 'exited', exitCode: 3 })
    await knock()
    expect(route()).toMatchObject({ kind: 'container' })
    expect((await panel.deps.db.select().from(deploymentLogs)).at(-1)?.text).toContain('did not start')
    await ann.request('GET', `/api/projects/${site.id}/container/status`)
    expect(await view()).toMatchObject({ state: 'ATTENTION', asleepSince: null })
  })

  test('whose panel was killed while it woke is started by the next request or by reconcile', async () => {
    await panel.deps.db.update(projects).set({ asleepSince: null }).where(eq(projects.id, site.id))
    await knock()
    expect([isRunning(), route()]).toMatchObject([[true], { kind: 'container' }])
  })

  test('is not woken once its owner stopped it', async () => {
    await act('stop')
    await knock()
    expect([isRunning(), route()]).toEqual([[false], { kind: 'stopped' }])
  })

  test.each(['start', 'restart'])('is woken by %s', async (action) => {
    expect((await act(action)).statusCode).toBe(200)
    await syncAllRoutes(panel.deps)
    expect([isRunning(), route(), await view()]).toMatchObject([[true], { kind: 'container' }, { state: 'RUNNING' }])
  })

  test('is woken by a new release, which takes its place', async () => {
    await set({ size: { memoryMb: 128, cpus: 1 } })
    await release()
    expect([route(), await view()]).toMatchObject([{ kind: 'container' }, { state: 'RUNNING', asleepSince: null }])
    expect((await row()).containerId).not.toBe(site.containerId)
  })

  test('can be deleted', async () => {
    const at = await endpoint()
    expect((await ann.request('DELETE', `/api/projects/${site.id}`)).statusCode).toBe(204)
    await gate.knock(at)
    expect(isRunning()).toEqual([false])
  })

  test('is not looked at by its uptime checks', async () => {
    const check = { name: 'Shop', hostname: site.hostname, protocol: 'http', path: '/', intervalSeconds: 60 }
    const created = await ann.request('POST', `/api/projects/${site.id}/uptime-checks`, check)
    expect(created.json()).toMatchObject({ state: 'PAUSED', pausedBecause: 'PROJECT_ASLEEP' })
  })

  test('has a sleeping web process', async () => {
    const { processes } = (await ann.request('GET', `/api/projects/${site.id}/processes`)).json<{
      processes: object[]
    }>()
    expect(processes).toMatchObject([{ name: 'web', state: 'SLEEPING' }])
  })
})

test('several instances sleep and wake together, and leave their pool meanwhile', async () => {
  await set({ instances: 2 })
  await release()
  for (const slot of await listSlots(panel.deps.db, site.id))
    if (slot.retiredAt !== null) await engine.removeContainer(site.containerId).catch(() => {})
  expect((await sleep()).statusCode).toBe(200)
  expect([isRunning(), proxy.pools.get(1)?.members, route()?.kind]).toEqual([[false, false], [], 'sleeping'])
  const live = (await row()).liveDeploymentId
  const first = (await listSlots(panel.deps.db, site.id)).find((slot) => slot.deploymentId === live)!
  await gate.knock(await endpointOf(panel.deps, first))
  expect([isRunning(), proxy.pools.get(1)?.members.length, route()?.kind]).toEqual([[true, true], 2, 'pool'])
})
