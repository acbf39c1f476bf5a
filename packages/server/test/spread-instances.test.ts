import { Readable } from 'node:stream'
import type { MachineDetails } from '@panel/contract/machines'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { nodes } from '../src/db/schema/nodes.ts'
import { projects } from '../src/db/schema/projects.ts'
import { reconcileContainers } from '../src/features/deployments/containers.reconcile.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { leaveMachines, spreadInstances } from '../src/features/deployments/machine-moves.service.ts'
import { restartHungInstances } from '../src/features/instance-health/hung-instances.service.ts'
import { saveProjectMinutes } from '../src/features/monitoring/usage-series.repository.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { createMemoryHostFirewall } from './fakes/memory-host-firewall.ts'
import { type MemoryNodes, someFacts } from './fakes/memory-nodes.ts'
import { createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { deployedSite, type DeployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { renewable } from './support/renewable.ts'

// A project with two instances, on the panel's machine and on others.

const kept = { image: 'panel-site:1', imageSpec: { port: 8080, readOnlyRoot: true, volumes: [] } }

let panel: TestPanel
let reachable: MemoryNodes
let ann: Client
let site: DeployedSite
const { fake: engine, renew: renewEngine } = renewable(createMemoryEngine)
const { fake: elsewhere, renew: renewElsewhere } = renewable(createMemoryEngine)
const { fake: spare, renew: renewSpare } = renewable(createMemoryEngine)
const network = { subnet: '172.30.0.0/27', gateway: '172.30.0.1', pools: ['172.30.0.0/16'], networkPrefix: 27 }
const { fake: proxy, renew: renewProxy } = renewable(() => createMemoryReverseProxy(network))

beforeAll(async () => {
  panel = await createTestPanel({ DEPLOY_DRAIN_SECONDS: '0' }, { engine, proxy })
  reachable = panel.deps.nodes as MemoryNodes
})
beforeEach(async () => {
  for (const renew of [renewEngine, renewElsewhere, renewSpare, renewProxy]) renew()
  await panel.empty()
  ann = await panel.signUp('ann')
  site = await deployedSite(panel, ann, engine)
  await engine.importImage(Readable.from(['tar']), kept.image, [`LABEL ${label.instance}=test`])
  await panel.deps.db.update(deployments).set(kept).where(eq(deployments.projectId, site.id))
  await panel.deps.db.update(projects).set({ keepsFiles: false }).where(eq(projects.id, site.id))
  await addMachine('m2', elsewhere)
})
afterAll(() => panel.close())

async function addMachine(id: string, machineEngine: typeof elsewhere) {
  const address = `10.0.0.${id.slice(1)}`
  const facts = { ...someFacts, link: { panel: '10.0.0.1', machine: address } }
  await panel.deps.db.insert(nodes).values({ id, name: id, roles: ['SITES'], seenAt: new Date(), ssh: { host: id, port: 22, hostKey: 'x' }, facts: { ...facts, engineVersion: '', panelVersion: '' } }) // oxfmt-ignore
  const { fileStore, hostHelper, hostsFiles } = panel.deps
  reachable.adapters.set(id, { engine: machineEngine, fileStore, hostFirewall: createMemoryHostFirewall(), hostHelper, hostsFiles }) // oxfmt-ignore
  reachable.facts.set(id, facts)
}
const project = async () => (await panel.deps.db.select().from(projects).where(eq(projects.id, site.id)))[0]!
const slots = () => panel.deps.db.select().from(containerSlots).where(eq(containerSlots.projectId, site.id))
const running = (on: typeof engine) => [...on.containers.values()].filter(({ state }) => state.running)
const counts = () => [running(engine).length, running(elsewhere).length]
const reconcile = () => reconcileContainers(panel.deps, { stopped: new AbortController().signal })
const settled = async (...wanted: [number, number]) => {
  await reconcile()
  await expect.poll(counts).toEqual(wanted)
}
const set = (values: Partial<typeof nodes.$inferInsert>, id = 'm2') =>
  panel.deps.db.update(nodes).set(values).where(eq(nodes.id, id))
const act = (action: string) => ann.request('POST', `/api/projects/${site.id}/container/${action}`)
const machine = async (id: string) => (await ann.request('GET', `/api/machines/${id}`)).json<MachineDetails>()
const members = () => proxy.pools.get(1)?.members
async function deployQueued() {
  const buildNetworks = { acquire: () => Promise.reject(new Error('nothing is built here')) }
  const worker = { signal: new AbortController().signal, lease: { workerId: 1 }, buildNetworks }
  await runQueue(panel.deps, worker, 'image')
}
async function scale(instances = 2) {
  expect((await ann.request('PUT', `/api/projects/${site.id}`, { instances })).statusCode).toBe(200)
  await deployQueued()
  await reconcile()
}
const latest = async () => {
  const { deployments: all } = (await ann.request('GET', `/api/projects/${site.id}/deployments`)).json()
  return all[0] as { status: string; failure: { sentences: { code: string }[] } | null }
}

test('one instance is on each machine, in one pool, and both count there', async () => {
  const before = (await machine('m2')).machine.promised.memoryBytes
  await scale()
  await expect.poll(counts).toEqual([1, 1])
  const slot = (await slots()).find(({ nodeId, retiredAt }) => nodeId === 'm2' && retiredAt === null)!
  expect(members()).toEqual([expect.objectContaining({ port: 8080 }), { address: '10.0.0.2', port: slot.port }])
  const { machine: m2, sites } = await machine('m2')
  expect(m2).toMatchObject({ projects: 1, instances: 1 })
  expect(sites).toMatchObject([{ instances: 1, placement: { sentences: [{ code: 'INSTANCES' }] } }])
  const { machines } = (await ann.request('GET', `/api/projects/${site.id}`)).json<{ machines: { name: string }[] }>()
  expect(machines).toEqual(expect.arrayContaining([{ name: 'm2', instances: 1, isResponding: true }]))
  const own = (await machine('test')).machine
  expect(own.projects).toBe(1)
  expect(m2.promised.memoryBytes - before).toBe(own.promised.memoryBytes)
  expect((await ann.request('DELETE', '/api/machines/m2')).json()).toMatchObject({ code: 'CONFLICT' })
})

test('both are stopped, started, read and measured', async () => {
  await scale()
  running(elsewhere)[0]!.logs = 'from m2\n'
  const logs = async () => (await ann.request('GET', `/api/projects/${site.id}/logs`)).json<{ logs: string }>().logs
  expect(await logs()).toMatch(/instance 1 [\s\S]*instance 2 ---\nfrom m2/)
  expect((await ann.request('GET', '/api/monitoring/containers')).json()).toHaveLength(2)
  await act('stop')
  expect(counts()).toEqual([0, 0])
  await act('start')
  expect(counts()).toEqual([1, 1])
  await set({ missedChecks: 3 })
  expect(await logs()).not.toContain('from m2')
  expect((await act('stop')).statusCode).toBe(200)
  expect(counts()).toEqual([0, 1])
  await set({ missedChecks: 0 })
  await settled(0, 0)
  await act('remove')
  expect([engine.containers.size, elsewhere.containers.size]).toEqual([0, 0])
  expect(await slots()).toEqual([])
})

test('their figures of a minute are added up', async () => {
  const at = new Date('2026-11-30T12:00:00Z')
  const point = { projectId: site.id, cpuPercent: 5, ramUsed: 100, networkReceived: 10, networkSent: null }
  for (const id of ['test', 'm2']) await saveProjectMinutes(panel.deps.db, id, at, [point])
  const { rows } = await panel.deps.db.execute(`select cpu_percent, ram_used, network_received from project_metrics where project_id = '${site.id}'`) // oxfmt-ignore
  expect(rows).toEqual([{ cpu_percent: 10, ram_used: '200', network_received: '20' }])
})

test('one that was stopped or removed by hand is back, on its machine', async () => {
  await scale()
  const [container] = running(elsewhere)
  await elsewhere.stopContainer(container!.state.id, 0)
  await settled(1, 1)
  await elsewhere.removeContainer(container!.state.id)
  await reconcile()
  await deployQueued()
  await settled(1, 1)
})

test('one that hangs is restarted on its machine', async () => {
  await scale()
  const restarted: string[] = []
  const { restartContainer } = elsewhere
  elsewhere.restartContainer = async (id, seconds) => {
    restarted.push(id)
    await restartContainer(id, seconds)
  }
  const [container] = running(elsewhere)
  container!.state.startedAt = '2020-01-01T00:00:00Z'
  proxy.down = [{ ...members()![1]!, seconds: 90 }]
  await restartHungInstances(panel.deps, new Map())
  expect(restarted).toEqual([container!.state.id])
})

test('a machine that is lost during a release fails it, and the previous release serves', async () => {
  await scale()
  const { liveDeploymentId } = await project()
  elsewhere.afterStart = () => void (elsewhere.fail = 'unreachable')
  await act('restart')
  await deployQueued()
  expect(await latest()).toMatchObject({ status: 'FAILED', failure: { sentences: [{ code: 'MACHINE_LOST' }] } })
  expect((await project()).liveDeploymentId).toBe(liveDeploymentId)
  elsewhere.afterStart = () => {}
  elsewhere.fail = undefined
  await settled(1, 1)
  await expect.poll(slots).toHaveLength(2)
})

test('without a third machine, the remaining one serves until the lost machine is back', async () => {
  await scale()
  const { liveDeploymentId } = await project()
  await set({ missedChecks: 3 })
  expect(await leaveMachines(panel.deps)).toBe('done')
  expect(proxy.ended).toEqual(['10.0.0.2'])
  expect((await machine('m2')).sites).toMatchObject([{ placement: { sentences: [{ code: 'WAITS' }] } }])
  await set({ missedChecks: 0 })
  await spreadInstances(panel.deps)
  await settled(1, 1)
  expect((await project()).liveDeploymentId).toBe(liveDeploymentId)
})

test('on a third machine the lost one is replaced; what is superfluous goes when it is back', async () => {
  await scale()
  await addMachine('m3', spare)
  await spreadInstances(panel.deps)
  await set({ roles: ['SITES', 'EDGE'] }, 'm3')
  await set({ missedChecks: 3 })
  elsewhere.fail = 'unreachable'
  expect(await leaveMachines(panel.deps)).toBe('again')
  expect(reachable.edgeOf('m3').ended).toEqual(['10.0.0.2'])
  await deployQueued()
  expect(await leaveMachines(panel.deps)).toBe('done')
  expect(running(spare)).toHaveLength(1)
  elsewhere.fail = undefined
  await set({ missedChecks: 0 })
  await settled(1, 0)
  await spreadInstances(panel.deps)
  await deployQueued()
  expect(running(spare)).toHaveLength(1)
})

test('all leave a machine that is drained, and are spread again when it is resumed', async () => {
  await scale()
  expect((await ann.request('POST', '/api/machines/m2/drain')).json()).toMatchObject({ drain: { moving: 1 } })
  await leaveMachines(panel.deps)
  await deployQueued()
  await settled(2, 0)
  expect((await machine('m2')).sites).toEqual([])
  await spreadInstances(panel.deps)
  await ann.request('PATCH', '/api/machines/m2', { isPaused: false })
  await spreadInstances(panel.deps)
  await deployQueued()
  await settled(1, 1)
})

test('a stopped one leaves as well, and a lost machine can be drained and removed', async () => {
  await scale()
  await act('stop')
  await set({ missedChecks: 3 })
  elsewhere.fail = 'unreachable'
  expect(await leaveMachines(panel.deps)).toBe('done')
  await ann.request('POST', '/api/machines/m2/drain')
  await leaveMachines(panel.deps)
  expect((await ann.request('DELETE', '/api/machines/m2?lost=true')).statusCode).toBe(204)
  await act('start')
  await deployQueued()
  await settled(2, 0)
})

test('a move takes the first instance there, and another one back', async () => {
  await scale()
  expect((await ann.request('POST', '/api/machines/m2/sites', { projectId: site.id })).statusCode).toBe(202)
  await deployQueued()
  await settled(1, 1)
  expect((await project()).nodeId).toBe('m2')
  expect((await slots()).find(({ instance }) => instance === 0)?.nodeId).toBe('m2')
})

test('are on one machine if files keep them there, and again one container', async () => {
  await ann.request('PUT', `/api/projects/${site.id}`, { keepsFiles: true })
  await scale()
  await expect.poll(counts).toEqual([2, 0])
  await ann.request('PUT', `/api/projects/${site.id}`, { keepsFiles: false })
  await deployQueued()
  await settled(1, 1)
  await scale(1)
  await settled(1, 0)
  await ann.request('DELETE', `/api/projects/${site.id}`)
  await settled(0, 0)
})
