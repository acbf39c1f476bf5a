import { readFile, stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accountNetworks } from '../src/db/schema/account-networks.ts'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { envVars } from '../src/db/schema/env-vars.ts'
import { users } from '../src/db/schema/users.ts'
import { deleteSlot } from '../src/features/containers/container-slots.repository.ts'
import { reservePlace } from '../src/features/containers/host-port.service.ts'
import { reconcileHostsFiles } from '../src/features/networks/hosts-files.service.ts'
import { reconcileNetworks } from '../src/features/networks/networks.reconcile.ts'
import { accountGateway, makeNetwork } from '../src/features/networks/networks.service.ts'
import { projectStarting } from '../src/features/hooks.ts'
import { findProject } from '../src/features/projects/project-access.ts'
import { findUid } from '../src/features/users/account-access.ts'
import { newId } from '../src/security/ids.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import type { DatabaseServer } from '../src/infra/database-server/database-server.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { createMemoryHostFirewall, type MemoryHostFirewall } from './fakes/memory-host-firewall.ts'
import { envOf, newDatabase } from './support/databases.ts'
import { addVerifiedDomain } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const rules = {
  bridgePrefix: 'pntest',
  buildBridgePrefix: 'pntestb',
  bridges: [],
  openPorts: [],
  nameservers: [],
  services: { address: '172.30.0.1', bridge: 'pntestp', ports: [], connectionsPerAccount: 1, isAddressShared: false },
  networks: [],
  pools: [],
  egress: { denyPrivate: true, allow: [], allowSmtp: false }
}
let panel: TestPanel
let engine: MemoryContainerEngine
let hostFirewall: MemoryHostFirewall
let ann: Client
let bob: Client
let pools: string[]
beforeAll(async () => {
  engine = createMemoryEngine()
  hostFirewall = createMemoryHostFirewall()
  pools = ['172.30.0.0/24']
  const network = async () => ({ name: 'panel-test', subnet: '172.30.0.0/27', gateway: '172.30.0.1', bridge: 'pntestp', pools }) // oxfmt-ignore
  panel = await createTestPanel({}, { engine, hostFirewall, network })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())
beforeEach(async () => {
  pools = ['172.30.0.0/24']
  hostFirewall.problem = undefined
  await hostFirewall.apply(rules)
  engine.networks.clear()
  engine.foreignSubnets.clear()
  await panel.deps.db.delete(containerSlots)
  await panel.deps.db.delete(accountNetworks)
  await panel.deps.db.update(users).set({ deletedAt: null })
})

const uidOf = async ({ user }: Client) => (await findUid(panel.deps.db, user.id))!
const networksOf = async (client: Client) =>
  panel.deps.db
    .select()
    .from(accountNetworks)
    .where(eq(accountNetworks.uid, await uidOf(client)))

async function reserve(client: Client) {
  const { id } = await client.createProject()
  const { nodeId } = panel.deps
  const wanted = { nodeId, projectId: id, deploymentId: newId(), containerPort: 80 }
  return reservePlace(panel.deps, await uidOf(client), wanted)
}

test('each account has its network, known by name, bridge and gateway', async () => {
  const [first, second, other] = [await reserve(ann), await reserve(ann), await reserve(bob)]
  expect(first).toMatchObject({ networkName: 'panel-test-account-1', slot: { address: '172.30.0.34', network: 1 } })
  expect(second).toMatchObject({ networkName: 'panel-test-account-1', slot: { address: '172.30.0.35' } })
  expect(other).toMatchObject({ networkName: 'panel-test-account-2', slot: { address: '172.30.0.66', network: 2 } })
  expect(engine.networks.get('panel-test-account-1')).toMatchObject({
    subnet: '172.30.0.32/27',
    gateway: '172.30.0.33',
    bridge: 'pntesta1',
    labels: { [label.role]: 'account', [label.account]: String(await uidOf(ann)) }
  })
  expect([...hostFirewall.networks.values()]).toEqual([
    { bridge: 'pntesta1', gateways: ['172.30.0.33'], account: await uidOf(ann), reachable: [] },
    { bridge: 'pntesta2', gateways: ['172.30.0.65'], account: await uidOf(bob), reachable: [] }
  ])
})

test('the gateway is known in advance and stable', async () => {
  const gateways = await Promise.all([ann, ann, bob].map(({ user }) => accountGateway(panel.deps, user.id)))
  expect(engine.networks.size).toBe(0)
  await reserve(ann)
  expect(gateways).toContain(await accountGateway(panel.deps, ann.user.id))
  expect(new Set([gateways[0], gateways[2]]).size).toBe(2)
  expect(panel.deps.databaseServers.POSTGRESQL).toBeDefined()
})

test('an account with more containers than addresses gets another network', async () => {
  const all = []
  for (let count = 0; count < 31; count++) all.push(await reserve(ann))
  expect(new Set(all.map(({ slot }) => slot.address)).size).toBe(31)
  expect(all.map(({ networkName }) => networkName).filter((name) => name === 'panel-test-account-2')).toHaveLength(2)
  await deleteSlot(panel.deps.db, all[3]!.slot)
  expect((await reserve(ann)).slot.address).toBe(all[3]!.slot.address)
})

test('concurrent reservations get distinct addresses', async () => {
  const all = await Promise.all([ann, bob].flatMap((client) => Array.from({ length: 8 }, () => reserve(client))))
  expect(new Set(all.map(({ slot }) => slot.address)).size).toBe(16)
  expect(new Set(all.map(({ slot }) => slot.port)).size).toBe(16)
})

test('subnets routed elsewhere are skipped, also later ones', async () => {
  engine.foreignSubnets.add('172.30.0.32/28')
  expect((await reserve(ann)).slot.address).toBe('172.30.0.66')
  await accountGateway(panel.deps, bob.user.id)
  expect(await networksOf(bob)).toMatchObject([{ subnet: '172.30.0.96/27' }])
  engine.foreignSubnets.add('172.30.0.100/32')
  expect((await reserve(bob)).slot.address).toBe('172.30.0.130')
  expect(await accountGateway(panel.deps, bob.user.id)).toBe('172.30.0.129')
})

test('database variables are updated before the project starts', async () => {
  const project = await ann.createProject()
  await newDatabase(ann, { projectId: project.id, autoInjectEnv: true })
  await newDatabase(ann, { projectId: project.id })
  const { POSTGRESQL, ...others } = panel.deps.databaseServers
  const port = 5432
  const atGateway: DatabaseServer = {
    ...POSTGRESQL,
    addresses: async (gateway) => ({ internal: { host: await gateway(), port }, host: { host: 'localhost', port } })
  }
  const deps = { ...panel.deps, databaseServers: { ...others, POSTGRESQL: atGateway } }
  const row = (await findProject(panel.deps.db, project.id))!
  const start = async () => {
    await projectStarting(deps, row)
    const { DB_HOST, DATABASE_URL } = await envOf(ann, project.id)
    expect(new URL(DATABASE_URL!).host).toBe(`${DB_HOST}:${port}`)
    return DB_HOST
  }
  expect(await start()).toBe('172.30.0.33')
  expect(engine.networks.get('panel-test-account-1')).toMatchObject({ subnet: '172.30.0.32/27' })
  await engine.removeNetwork('panel-test-account-1')
  engine.foreignSubnets.add('172.30.0.40/32')
  expect(await start()).toBe('172.30.0.65')
  const writtenAt = () => panel.deps.db.select({ key: envVars.key, at: envVars.updatedAt }).from(envVars)
  const before = await writtenAt()
  expect(await start()).toBe('172.30.0.65')
  expect(await writtenAt()).toEqual(before)
})

test('without a free subnet, the response says what to set', async () => {
  pools = ['172.30.0.0/26']
  await reserve(ann)
  await expect(reserve(bob)).rejects.toMatchObject({
    code: 'NETWORKS_EXHAUSTED',
    message: expect.stringContaining('container networks')
  })
  pools = ['172.30.0.0/26', '172.30.8.0/27']
  expect((await reserve(bob)).slot.address).toBe('172.30.8.2')
})

test('a moved network stays', async () => {
  await reserve(ann)
  const [row] = await networksOf(ann)
  await makeNetwork(panel.deps, { ...row!, subnet: '172.30.0.64/27' })
  expect(engine.networks.get('panel-test-account-1')).toMatchObject({ subnet: '172.30.0.32/27' })
})

test('an old network of that name is removed', async () => {
  await engine.ensureNetwork('panel-test-account-1', {}, { subnet: '172.30.0.128/27', bridge: 'pntesta1' })
  await reserve(ann)
  expect(engine.networks.get('panel-test-account-1')).toMatchObject({ subnet: '172.30.0.32/27' })
})

test('a lost network is recreated on its subnet with its firewall rules', async () => {
  await reserve(ann)
  await accountGateway(panel.deps, bob.user.id)
  await engine.removeNetwork('panel-test-account-1')
  await hostFirewall.setNetworks([])
  expect(await reconcileNetworks(panel.deps)).toBe('done')
  expect(engine.networks.get('panel-test-account-1')).toMatchObject({ subnet: '172.30.0.32/27' })
  expect(hostFirewall.networks.size).toBe(2)
  expect(engine.networks.has('panel-test-account-2')).toBe(false)
})

test('a deleted account’s network is removed with its last container', async () => {
  const { slot } = await reserve(ann)
  await panel.deps.db.update(users).set({ deletedAt: new Date() }).where(eq(users.id, ann.user.id))
  expect(await reconcileNetworks(panel.deps)).toBe('done')
  expect(engine.networks.has('panel-test-account-1')).toBe(true)
  await panel.deps.db.delete(containerSlots).where(eq(containerSlots.deploymentId, slot.deploymentId))
  await reconcileNetworks(panel.deps)
  expect(engine.networks.size).toBe(0)
  expect(hostFirewall.networks.size).toBe(0)
  expect(await networksOf(ann)).toEqual([])
  expect((await reserve(bob)).slot.address).toBe('172.30.0.34')
})

test('a subnet in use by the engine is not reassigned', async () => {
  const { networkName, slot } = await reserve(ann)
  await panel.deps.db.delete(containerSlots).where(eq(containerSlots.deploymentId, slot.deploymentId))
  await panel.deps.db.update(users).set({ deletedAt: new Date() }).where(eq(users.id, ann.user.id))
  await engine.pullImage('foreign', () => {})
  const id = await engine.createContainer({ name: 'foreign', image: 'foreign', labels: {}, env: {}, user: '1:1', network: networkName, address: '172.30.0.40', containerPort: 80, memoryBytes: 1, cpus: 1, pids: 1, readOnlyRoot: true, volumes: [], binds: [] }) // oxfmt-ignore
  await engine.startContainer(id)
  expect(await reconcileNetworks(panel.deps)).toBe('again')
  expect(await networksOf(ann)).toHaveLength(1)
  expect((await reserve(bob)).slot.address).toBe('172.30.0.66')
  await engine.removeContainer(id)
  expect(await reconcileNetworks(panel.deps)).toBe('done')
  expect(await networksOf(ann)).toEqual([])
})

test('networks without a row are removed', async () => {
  const labels = { [label.instance]: 'test', [label.role]: 'account' }
  await engine.ensureNetwork('panel-test-account-9', labels, { bridge: 'pntesta9' })
  await engine.ensureNetwork('panel-test', { [label.instance]: 'test' }, { bridge: 'pntestp' })
  await reconcileNetworks(panel.deps)
  expect([...engine.networks.keys()]).toEqual(['panel-test'])
})

test('the hosts file of an account has the names of its sites, and stays the same file', async () => {
  const first = await reserve(ann)
  const site = await ann.createProject({ name: 'hosts-shop' })
  await addVerifiedDomain(ann, 'shop.example.com', { projectId: site.id })
  await addVerifiedDomain(ann, 'elsewhere.example.com')
  await bob.createProject({ name: 'hosts-bob' })
  const { hostsFile } = await reserve(ann)
  const names = async () =>
    (await readFile(hostsFile, 'utf8')).split('\n').filter((line) => line.includes('172.30.0.33'))
  expect(await names()).toEqual(expect.arrayContaining(['172.30.0.33 hosts-shop.apps.localhost', '172.30.0.33 shop.example.com'])) // oxfmt-ignore
  expect((await names()).join()).not.toMatch(/elsewhere|hosts-bob/)
  const before = await stat(first.hostsFile)
  expect((await ann.request('DELETE', `/api/projects/${site.id}`)).statusCode).toBeLessThan(300)
  await reconcileHostsFiles(panel.deps)
  expect((await names()).join()).not.toMatch(/shop/)
  expect((await stat(first.hostsFile)).ino).toBe(before.ino)
  await panel.deps.db.delete(containerSlots)
  await panel.deps.db.delete(accountNetworks)
  await reconcileHostsFiles(panel.deps)
  await expect(stat(hostsFile)).rejects.toThrow('ENOENT')
})

test('a hosts file that is written while the reconciler works stays', async () => {
  const { hostsFiles } = panel.deps
  let written: string | undefined
  const list = async () => {
    written = (await reserve(ann)).hostsFile
    return hostsFiles.list()
  }
  await reconcileHostsFiles({ ...panel.deps, hostsFiles: { ...hostsFiles, list } })
  expect((await stat(written!)).isFile()).toBe(true)
})

test('networks work without a firewall', async () => {
  hostFirewall.problem = 'nft is not installed'
  expect((await reserve(ann)).networkName).toBe('panel-test-account-1')
  expect(await reconcileNetworks(panel.deps)).toBe('done')
})
