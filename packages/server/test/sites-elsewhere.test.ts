import { Readable } from 'node:stream'
import type { MachineDetails } from '@panel/contract/machines'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accountNetworks } from '../src/db/schema/account-networks.ts'
import { containerDisk } from '../src/db/schema/container-disk.ts'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { envVars } from '../src/db/schema/env-vars.ts'
import { nodes } from '../src/db/schema/nodes.ts'
import { projects } from '../src/db/schema/projects.ts'
import { removeCopies } from '../src/features/builds/image-copies.service.ts'
import { measureContainers } from '../src/features/container-disk/container-disk.jobs.ts'
import { watchOutOfMemory } from '../src/features/container-memory/out-of-memory.watch.ts'
import { reconcileContainers } from '../src/features/deployments/containers.reconcile.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { leaveMachines } from '../src/features/deployments/machine-moves.service.ts'
import { prepareStandbys, standbyOf } from '../src/features/deployments/standby.service.ts'
import { recoverDeployments } from '../src/features/deployments/recovery.reconcile.ts'
import { syncAllRoutes } from '../src/features/domains/routing.service.ts'
import { reconcileNetworks } from '../src/features/networks/networks.reconcile.ts'
import { accountGateway, settleGateway } from '../src/features/networks/networks.service.ts'
import { onMachine, reconcileMachines } from '../src/features/nodes/on-machine.service.ts'
import { reconcileProcesses } from '../src/features/processes/processes.reconcile.ts'
import { purgeProject } from '../src/features/projects/purge.jobs.ts'
import { findUid } from '../src/features/users/account-access.ts'
import type { HostsFiles } from '../src/infra/hosts-files/hosts-files.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { createMemoryHostFirewall } from './fakes/memory-host-firewall.ts'
import { type MemoryNodes, someFacts } from './fakes/memory-nodes.ts'
import { createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { deployedSite, type DeployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { renewable } from './support/renewable.ts'

const m2 = 'm2'
const facts = { ...someFacts, link: { panel: '10.0.0.1', machine: '10.0.0.2' } }
const kept = { image: 'panel-site:1', imageSpec: { port: 8080, readOnlyRoot: true, volumes: [] } }

let panel: TestPanel
let reachable: MemoryNodes
let ann: Client
let site: DeployedSite
let hosts: Map<number, string>
const { fake: engine, renew: renewEngine } = renewable(createMemoryEngine)
const { fake: elsewhere, renew: renewElsewhere } = renewable(createMemoryEngine)
const { fake: firewall, renew: renewFirewall } = renewable(createMemoryHostFirewall)
const network = { subnet: '172.30.0.0/27', gateway: '172.30.0.1', pools: ['172.30.0.0/16'], networkPrefix: 27 }
const { fake: proxy, renew: renewProxy } = renewable(() => createMemoryReverseProxy(network))
const hostsFiles: HostsFiles = {
  write: async (uid, text) => {
    hosts.set(uid, text)
    return `/hosts/${uid}`
  },
  list: async () => [...hosts.keys()],
  remove: async (uid) => void hosts.delete(uid)
}

beforeAll(async () => {
  panel = await createTestPanel(
    { DEPLOY_DRAIN_SECONDS: '0', TCP_PORTS: '20000-20009', DEFAULT_MAX_TCP_PORTS: '1' },
    { engine, proxy }
  )
  reachable = panel.deps.nodes as MemoryNodes
})
beforeEach(async () => {
  renewEngine()
  renewElsewhere()
  renewFirewall()
  renewProxy()
  hosts = new Map()
  await panel.empty()
  await panel.deps.db.insert(nodes).values({ id: m2, name: m2, roles: ['SITES'], seenAt: new Date(), ssh: { host: 'm2', port: 22, hostKey: 'x' }, facts: { ...facts, engineVersion: '', panelVersion: '' } }) // oxfmt-ignore
  const { fileStore, hostHelper } = panel.deps
  reachable.adapters.set(m2, { engine: elsewhere, fileStore, hostFirewall: firewall, hostHelper, hostsFiles })
  reachable.facts.set(m2, facts)
  ann = await panel.signUp('ann')
  site = await deployedSite(panel, ann, engine)
  await engine.importImage(Readable.from(['tar']), kept.image, [`LABEL ${label.instance}=test`])
  await panel.deps.db.update(deployments).set(kept).where(eq(deployments.projectId, site.id))
})
afterAll(() => panel.close())

const project = async () => (await panel.deps.db.select().from(projects).where(eq(projects.id, site.id)))[0]!
const slots = () => panel.deps.db.select().from(containerSlots).where(eq(containerSlots.projectId, site.id))
const route = () => proxy.find(site.hostname, '/')?.target
const running = () => [...elsewhere.containers.values()].filter(({ state }) => state.running)
const reconcile = () => reconcileContainers(panel.deps, { stopped: new AbortController().signal })
const setMissed = (missedChecks: number) => panel.deps.db.update(nodes).set({ missedChecks }).where(eq(nodes.id, m2))
const act = (action: string) => ann.request('POST', `/api/projects/${site.id}/container/${action}`)

async function releaseElsewhere() {
  await panel.deps.db.update(projects).set({ keepsFiles: false }).where(eq(projects.id, site.id))
  expect((await moveTo(m2)).statusCode).toBe(202)
  await deployQueued()
}
const moveTo = (machine: string) => ann.request('POST', `/api/machines/${machine}/sites`, { projectId: site.id })
async function deployQueued() {
  const buildNetworks = { acquire: () => Promise.reject(new Error('nothing is built here')) }
  const worker = { signal: new AbortController().signal, lease: { workerId: 1 }, buildNetworks }
  await runQueue(panel.deps, worker, 'image')
}

test('a release starts on the machine of its project, and the proxy reaches it there', async () => {
  await releaseElsewhere()
  const [container] = running()
  expect((await project()).containerId).toBe(container!.state.id)
  expect(await elsewhere.findImage(kept.image)).toBeDefined()
  const slot = (await slots()).find(({ nodeId }) => nodeId === m2)!
  expect(container!.spec).toMatchObject({ hostPort: slot.port, address: slot.address })
  expect(container!.spec.binds).toContainEqual({ source: expect.stringMatching(/^\/hosts\//), target: '/etc/hosts', readOnly: true }) // oxfmt-ignore
  expect(firewall.rules).toMatchObject({ visitors: ['10.0.0.1'], nameservers: ['10.0.0.53'] })
  expect([...firewall.networks.keys()]).toEqual([...elsewhere.networks.values()].map(({ bridge }) => bridge))
  expect(route()).toEqual({ kind: 'container', address: '10.0.0.2', port: slot.port })
  await reconcile() // Removes the container that it replaced.
  await expect.poll(() => engine.containers.size).toBe(0)
  expect(running()).toHaveLength(1)
})

test('reaches the database servers at the address of its account on the panel’s machine', async () => {
  const bob = await panel.signUp('bob')
  const uid = (await findUid(panel.deps.db, bob.user.id))!
  // So that the networks of the account differ by machine.
  await panel.deps.db.insert(accountNetworks).values({ nodeId: m2, number: 1, uid, subnet: '172.30.0.32/27' })
  await releaseElsewhere()
  const gateway = await settleGateway(await onMachine(panel.deps, m2), ann.user.id)
  expect(gateway).toBe(await accountGateway(panel.deps, ann.user.id))
  await reconcileNetworks(panel.deps)
  expect(firewall.networks.get('pntesta1')).toMatchObject({ account: uid, gateways: [] })
  expect(firewall.networks.get('pntesta2')).toMatchObject({ gateways: [gateway] })
  expect(firewall.rules!.services).toMatchObject({ address: '172.30.0.1', ports: [5432, 3306] })
})

test('is stopped, started and read there', async () => {
  await releaseElsewhere()
  running()[0]!.logs = 'from m2\n'
  const logs = await ann.request('GET', `/api/projects/${site.id}/logs`)
  expect(logs.json<{ logs: string }>().logs).toContain('from m2')
  await act('stop')
  expect(running()).toEqual([])
  await act('start')
  expect(running()).toHaveLength(1)
  await act('remove')
  expect(elsewhere.containers.size).toBe(0)
})

test('is repaired there; a machine that does not respond is left as it is and holds up no other', async () => {
  await releaseElsewhere()
  await reconcile()
  const { containerId } = await project()
  await elsewhere.stopContainer(containerId!, 0)
  await reconcile()
  expect(running()).toHaveLength(1)

  elsewhere.fail = 'unreachable'
  const stray = await deployedSite(panel, ann, engine)
  await panel.deps.db.delete(containerSlots).where(eq(containerSlots.projectId, stray.id))
  await panel.deps.db.delete(projects).where(eq(projects.id, stray.id))
  await reconcile()
  await reconcileNetworks(panel.deps)
  expect(await engine.findContainer(stray.containerId)).toBeUndefined()
  expect((await project()).containerId).toBe(containerId)
  expect(await act('restart')).toMatchObject({ statusCode: 503 })

  elsewhere.fail = undefined
  await reconcile()
  expect((await project()).containerId).toBe(containerId)
  expect(running()).toHaveLength(1)
})

test('is repaired also while the engine of the panel’s machine is not responding', async () => {
  await releaseElsewhere()
  await reconcile()
  await elsewhere.stopContainer((await project()).containerId!, 0)
  engine.fail = 'unreachable'
  await expect(reconcile()).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
  expect(running()).toHaveLength(1)
})

test('requests fail at once while its machine has the status AWAY, and deleting it does not wait', async () => {
  await releaseElsewhere()
  await reconcile()
  await setMissed(3)
  const refused = { statusCode: 503, body: expect.stringContaining('NODE_UNAVAILABLE') }
  for (const action of ['stop', 'start', 'restart']) expect(await act(action)).toMatchObject(refused)
  for (const path of ['container/status', 'logs'])
    expect(await ann.request('GET', `/api/projects/${site.id}/${path}`)).toMatchObject(refused)
  expect((await ann.request('GET', '/api/projects')).statusCode).toBe(200)
  expect((await ann.request('GET', `/api/projects/${site.id}`)).statusCode).toBe(200)

  await ann.request('POST', `/api/projects/${site.id}/env`, { key: 'A', value: 'b' })
  expect((await ann.request('DELETE', `/api/projects/${site.id}`)).statusCode).toBe(204)
  await purgeProject(panel.deps, site.id, {})
  // What is not on that machine is gone, and reconcile does the rest when the machine is back.
  expect(await panel.deps.db.$count(envVars)).toBe(0)
  await reconcile()
  expect(running()).toHaveLength(1)

  await setMissed(0)
  await reconcile()
  await expect.poll(() => elsewhere.containers.size).toBe(0)
  await expect.poll(slots).toEqual([])
})

test('a site whose machine was never reached keeps no other from its route', async () => {
  await releaseElsewhere()
  const other = await deployedSite(panel, ann, engine)
  await panel.deps.db.update(nodes).set({ facts: null }).where(eq(nodes.id, m2))
  renewProxy()
  await syncAllRoutes(panel.deps)
  expect(proxy.find(other.hostname, '/')?.target).toMatchObject({ kind: 'container' })
  expect(route()).toEqual({ kind: 'stopped' })
})

test('a kill for lack of memory is recorded', async () => {
  await releaseElsewhere()
  const watch = watchOutOfMemory(panel.deps)
  const { id } = running()[0]!.state
  await expect
    .poll(async () => {
      elsewhere.killForMemory(id)
      return (await project()).outOfMemoryAt
    })
    .not.toBeNull()
  await watch.close()
})

test('is measured there: processor, memory and what it writes', async () => {
  await releaseElsewhere()
  const [container] = running()
  elsewhere.written.set(container!.state.id, 3 * 2 ** 20)
  elsewhere.filesMade.set(container!.state.id, 7)
  await measureContainers(panel.deps)
  const rows = await panel.deps.db.select().from(containerDisk)
  expect(rows).toContainEqual(expect.objectContaining({ containerId: container!.state.id, bytes: 3 * 2 ** 20, files: 7 })) // oxfmt-ignore
  const figures = await ann.request('GET', '/api/monitoring/containers')
  expect(figures.json<{ containerId: string }[]>().map(({ containerId }) => containerId)).toEqual([container!.state.id])
  await setMissed(3)
  expect((await ann.request('GET', '/api/monitoring/containers')).json()).toEqual([])
})

test('rules that a restart of the machine removed are set again', async () => {
  await releaseElsewhere()
  await firewall.remove()
  await reconcile()
  expect(firewall.rules).toMatchObject({ visitors: ['10.0.0.1'] })
})

test('the routes of all sites are the same after a restart of the proxy', async () => {
  await releaseElsewhere()
  const before = route()
  renewProxy()
  await syncAllRoutes(panel.deps)
  expect(route()).toEqual(before)
  expect(proxy.machines).toEqual(['10.0.0.2'])
})

test('copies of images go when no container has them', async () => {
  await releaseElsewhere()
  const there = await onMachine(panel.deps, m2)
  await removeCopies(there)
  expect(await elsewhere.findImage(kept.image)).toBeDefined()
  await reconcile()
  await expect.poll(slots).toHaveLength(1)
  await act('remove')
  await removeCopies(there)
  expect(await elsewhere.findImage(kept.image)).toBeUndefined()
  expect(await engine.findImage(kept.image)).toBeDefined()
})

const machine = async (id: string) => (await ann.request('GET', `/api/machines/${id}`)).json<MachineDetails>()
const set = (values: Partial<typeof nodes.$inferInsert>) =>
  panel.deps.db.update(nodes).set(values).where(eq(nodes.id, m2))

test('a project that keeps files is not moved', async () => {
  expect((await moveTo(m2)).json()).toMatchObject({ code: 'INVALID_TARGET' })
  expect((await moveTo('m9')).statusCode).toBe(404)
})

test('leaves a machine that is drained, which can be removed then', async () => {
  await releaseElsewhere()
  await reconcile()
  const remove = () => ann.request('DELETE', `/api/machines/${m2}`)
  expect(await machine(m2)).toMatchObject({ drain: { moving: 1, staying: 0 }, sites: [{ placement: { sentences: [{ code: 'SPREAD' }] } }] }) // oxfmt-ignore
  expect((await remove()).json()).toMatchObject({ code: 'CONFLICT' })
  const drained = await ann.request('POST', `/api/machines/${m2}/drain`)
  expect(drained.json()).toMatchObject({ machine: { status: 'PAUSED', isDraining: true } })
  expect(drained.json()).toMatchObject({ sites: [{ placement: { sentences: [{ code: 'LEAVES', values: { machine: 'local' } }] } }] }) // oxfmt-ignore
  expect(await leaveMachines(panel.deps)).toBe('again')
  await deployQueued()
  expect(await leaveMachines(panel.deps)).toBe('done')
  expect(route()).toMatchObject({ kind: 'container', address: expect.stringMatching(/^172\./) })
  expect((await project()).nodeId).toBe('test')
  expect((await remove()).json()).toMatchObject({ code: 'CONFLICT' })
  await reconcile()
  await expect.poll(slots).toHaveLength(1)
  expect(running()).toEqual([])
  expect((await remove()).statusCode).toBe(204)
})

test('starts elsewhere when its machine does not respond, and the machine is tidied up when it is back', async () => {
  await releaseElsewhere()
  await reconcile()
  elsewhere.fail = 'unreachable'
  await set({ missedChecks: 3 })
  await leaveMachines(panel.deps)
  await deployQueued()
  expect((await project()).nodeId).toBe('test')
  expect(route()).toMatchObject({ address: expect.stringMatching(/^172\./) })
  await reconcile()
  await expect.poll(slots).toHaveLength(2)

  elsewhere.fail = undefined
  await set({ missedChecks: 0 })
  await reconcile()
  await expect.poll(slots).toHaveLength(1)
  expect(running()).toEqual([])
})

test('the image is copied beforehand to the machine on which it starts', async () => {
  const third = createMemoryEngine()
  const [row] = await panel.deps.db.select().from(nodes).where(eq(nodes.id, m2))
  await panel.deps.db.insert(nodes).values({ ...row!, id: 'm3', name: 'm3', facts: { ...row!.facts!, link: { panel: '10.0.0.1', machine: '10.0.0.3' } } }) // oxfmt-ignore
  reachable.adapters.set('m3', { ...reachable.adapters.get(m2)!, engine: third })
  await releaseElsewhere()
  const { signal } = new AbortController()
  await prepareStandbys(panel.deps, { signal }) // Not reachable.
  expect(await standbyOf(panel.deps, site.id)).toBeUndefined()
  reachable.facts.set('m3', facts)
  await prepareStandbys(panel.deps, { signal })
  expect(await standbyOf(panel.deps, site.id)).toBe('m3')
  expect(await third.findImage(kept.image)).toBeDefined()
  await removeCopies(await onMachine(panel.deps, 'm3'))
  expect(await third.findImage(kept.image)).toBeDefined()

  // Also if it is not the one with the most room by then.
  const room = (totalBytes: number) => panel.deps.db.update(nodes).set({ facts: { ...row!.facts!, memory: { totalBytes, usedBytes: 0 } } }) // oxfmt-ignore
  await room(2 ** 40).where(eq(nodes.id, 'test'))
  await set({ missedChecks: 3 })
  await leaveMachines(panel.deps)
  await deployQueued()
  expect((await project()).nodeId).toBe('m3')
})

test('a machine that does not come back is removed as lost, with the containers that it had', async () => {
  await releaseElsewhere()
  elsewhere.fail = 'unreachable'
  await set({ missedChecks: 3 })
  await leaveMachines(panel.deps)
  await deployQueued()
  expect((await ann.request('DELETE', `/api/machines/${m2}`)).json()).toMatchObject({ code: 'CONFLICT' })
  expect((await ann.request('DELETE', `/api/machines/${m2}?lost=true`)).statusCode).toBe(204)
  expect((await slots()).map(({ nodeId }) => nodeId)).toEqual(['test', 'test'])
})

test('what is left on a machine that was removed as lost goes when the machine is added again', async () => {
  await releaseElsewhere()
  const worker = { name: 'worker', command: 'work', instances: 1 }
  expect((await ann.request('POST', `/api/projects/${site.id}/processes`, worker)).statusCode).toBe(201)
  await reconcileProcesses(panel.deps)
  expect(running()).toHaveLength(2)
  await set({ missedChecks: 3 })
  await leaveMachines(panel.deps)
  await deployQueued()
  await reconcileProcesses(panel.deps)
  const workers = () => [...engine.containers.values()].filter(({ spec }) => spec.labels[label.process] === 'worker')
  expect(workers()).toEqual([])
  const [row] = await panel.deps.db.select().from(nodes).where(eq(nodes.id, m2))
  expect((await ann.request('DELETE', `/api/machines/${m2}?lost=true`)).statusCode).toBe(204)
  await reconcileProcesses(panel.deps)
  expect(workers()).toHaveLength(1)

  const before = workers()
  await panel.deps.db.insert(nodes).values({ ...row!, missedChecks: 0 })
  await reconcileProcesses(panel.deps)
  await reconcile()
  expect(elsewhere.containers.size).toBe(0)
  expect(workers()).toEqual(before)
})

test('a move that ended with the panel is tried again at once', async () => {
  await releaseElsewhere()
  await ann.request('POST', `/api/machines/${m2}/drain`)
  await leaveMachines(panel.deps)
  const { db } = panel.deps
  await db.update(deployments).set({ status: 'DEPLOYING', workerId: 99 }).where(eq(deployments.status, 'QUEUED'))
  await recoverDeployments(panel.deps, { findDead: async (ids) => [...ids] })
  await leaveMachines(panel.deps)
  await deployQueued()
  expect((await project()).nodeId).toBe('test')
})

test('a machine whose engine hangs keeps no other one waiting', async () => {
  const worked: string[] = []
  const work = ({ nodeId }: { nodeId: string }): Promise<'done'> => {
    worked.push(nodeId)
    return nodeId === m2 ? new Promise(() => {}) : Promise.resolve('done')
  }
  expect(await reconcileMachines(panel.deps, 'test', work, 1)).toBe('again')
  expect(await reconcileMachines(panel.deps, 'test', work, 1)).toBe('done')
  await expect.poll(() => worked.toSorted()).toEqual([m2, 'test', 'test'])
})

test('a stopped one leaves as well, and gets new containers when it is started', async () => {
  await releaseElsewhere()
  await reconcile()
  await act('stop')
  await ann.request('POST', `/api/machines/${m2}/drain`)
  await leaveMachines(panel.deps)
  expect(await project()).toMatchObject({ nodeId: 'test', status: 'STOPPED', containerId: null })
  await reconcile()
  await expect.poll(() => elsewhere.containers.size).toBe(0)
  expect((await act('start')).statusCode).toBe(200)
  await deployQueued()
  expect(await project()).toMatchObject({ nodeId: 'test', status: 'ACTIVE', containerStatus: 'running' })
})

test('keeps its files again: the next release is where they are', async () => {
  await releaseElsewhere()
  expect((await ann.request('PUT', `/api/projects/${site.id}`, { keepsFiles: true })).statusCode).toBe(200)
  await deployQueued()
  expect((await project()).nodeId).toBe('test')
})

test('goes to the machine of its files when it is to sleep', async () => {
  await releaseElsewhere()
  expect((await ann.request('PUT', `/api/projects/${site.id}`, { sleepAfterMinutes: 30 })).statusCode).toBe(200)
  await deployQueued()
  expect((await project()).nodeId).toBe('test')
})

test('goes to the panel’s machine when it publishes a TCP port, and stays there', async () => {
  await releaseElsewhere()
  const port = { kind: 'PORT', containerPort: 7000, publishedPort: null }
  expect((await ann.request('POST', `/api/projects/${site.id}/tcp-ports`, port)).statusCode).toBe(201)
  await deployQueued()
  expect((await project()).nodeId).toBe('test')
  expect((await moveTo(m2)).json()).toMatchObject({ code: 'INVALID_TARGET' })
})
