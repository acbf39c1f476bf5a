import { expect, test } from 'vitest'
import { type MemoryContainerEngine, createMemoryEngine } from './fakes/memory-container-engine.ts'
import { parseSubnet, subnetsOverlap } from '../src/net/ipv4-subnet.ts'
import { createBuildNetworks } from '../src/features/builds/build-networks.service.ts'

const instanceId = '0123456789'
const labels = { 'panel.instance': instanceId, 'panel.role': 'build' }
const namesOn = async (engine: MemoryContainerEngine) =>
  (await engine.listNetworks(labels)).map(({ name }) => name).sort()
const pools = ['10.254.0.0/16']
const network = async () => ({ name: 'panel', subnet: '172.30.0.0/27', gateway: '172.30.0.1', bridge: 'pnp', pools })
const networksOf = (engine: MemoryContainerEngine, workerId: number) =>
  createBuildNetworks({ engine, instanceId, network }, workerId)

/** Makes removal of the network fail, as if a container were still on it. */
async function occupy(engine: MemoryContainerEngine, network: string): Promise<() => Promise<void>> {
  await engine.pullImage('image:1', () => {})
  const spec = {
    ...{ name: `on-${network}`, image: 'image:1', labels: {}, env: {}, user: '1:1', network, address: '172.30.0.2' },
    ...{ hostPort: 1, containerPort: 1, memoryBytes: 1, cpus: 1, pids: 1, readOnlyRoot: true, volumes: [], binds: [] }
  }
  const id = await engine.createContainer(spec)
  await engine.startContainer(id)
  return () => engine.removeContainer(id)
}

test('concurrent builds have separate networks, which are reused later', async () => {
  const engine = createMemoryEngine()
  const networks = networksOf(engine, 7)
  const [first, second] = await Promise.all([networks.acquire(), networks.acquire()])
  expect([first.name, second.name]).toEqual(['panel-0123456789-build-7-0', 'panel-0123456789-build-7-1'])
  const [one, other] = [...engine.networks.values()]
  expect(one?.subnet).toMatch(/\/28$/)
  expect(one?.subnet).not.toBe(other?.subnet)
  expect([one?.bridge, other?.bridge]).toEqual(['pn012345b700', 'pn012345b701'])
  await second.release(true)
  expect((await networks.acquire()).name).toBe(second.name)
  expect((await networks.acquire()).name).toBe('panel-0123456789-build-7-2')
})

test('build subnets never overlap with account networks', async () => {
  const engine = createMemoryEngine()
  await networksOf(engine, 7).acquire()
  const [made] = [...engine.networks.values()]
  expect(subnetsOverlap(parseSubnet(made!.subnet)!, parseSubnet(pools[0]!)!)).toBe(false)
})

test('a network with a failed cleanup is not reused', async () => {
  const engine = createMemoryEngine()
  const networks = networksOf(engine, 7)
  const network = await networks.acquire()
  const leave = await occupy(engine, network.name)
  await network.release(false)
  const next = await networks.acquire()
  expect(next.name).not.toBe(network.name)
  expect(await namesOn(engine)).toEqual([network.name, next.name])
  await leave()
  await networks.sweep(async () => [])
  expect(await namesOn(engine)).toEqual([next.name])
})

test('a removed network is created again', async () => {
  const engine = createMemoryEngine()
  const networks = networksOf(engine, 7)
  const network = await networks.acquire()
  await network.release(true)
  await engine.removeNetwork(network.name)
  expect((await networks.acquire()).name).toBe(network.name)
  expect(await namesOn(engine)).toEqual([network.name])
})

test('leftovers of a dead worker are removed, nothing else', async () => {
  const engine = createMemoryEngine()
  await engine.ensureNetwork('panel-0123456789', { 'panel.instance': instanceId })
  await createBuildNetworks({ engine, instanceId: 'another', network }, 1).acquire()
  await networksOf(engine, 1).acquire()
  await networksOf(engine, 2).acquire()
  const mine = networksOf(engine, 3)
  await mine.acquire()
  await mine.sweep(async (ids) => ids.filter((id) => id !== 2))
  expect(await namesOn(engine)).toEqual(['panel-0123456789-build-2-0', 'panel-0123456789-build-3-0'])
  expect(engine.networks.size).toBe(4)
})

test('an engine that is down costs no subnet', async () => {
  const engine = createMemoryEngine()
  const networks = networksOf(engine, 7)
  engine.fail = 'unreachable'
  await expect(networks.acquire()).rejects.toMatchObject({ kind: 'container-engine-unavailable' })
  engine.fail = undefined
  await networks.sweep(async () => [])
  expect((await networks.acquire()).name).toBe('panel-0123456789-build-7-0')
})

test('a stopping worker leaves none, also of aborted builds', async () => {
  const engine = createMemoryEngine()
  const networks = networksOf(engine, 7)
  await (await networks.acquire()).release(true)
  const busy = [await networks.acquire(), await networks.acquire()]
  const leave = await occupy(engine, busy[1]!.name)
  const closed = networks.close()
  await leave()
  await closed
  expect(await namesOn(engine)).toEqual([])
})
