import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq, ne } from 'drizzle-orm'
import type { Machine, MachineDetails, MachineKey, MachineList } from '@panel/contract/machines'
import { nodes } from '../src/db/schema/nodes.ts'
import { projects } from '../src/db/schema/projects.ts'
import { syncProjectDirectories } from '../src/features/files/project-directories.service.ts'
import { publishEdges } from '../src/features/dns-zones/edge-zones.jobs.ts'
import { removeEdge } from '../src/features/nodes/edges.service.ts'
import { checkMachines } from '../src/features/nodes/nodes.jobs.ts'
import { listPublishedEdges } from '../src/features/nodes/published-edges.service.ts'
import { version } from '../src/process/version.ts'
import type { MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { type MemoryNodes, someFacts } from './fakes/memory-nodes.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let ann: Client
let reachable: MemoryNodes
const own = 'test'
const hostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3'
const m2 = { name: 'm2', host: '10.0.0.2', port: 2222, hostKey: `${hostKey} root@m2` }

beforeAll(async () => {
  panel = await createTestPanel({ DEPLOY_MEMORY_LIMIT: '512m', API_BASE_URL: 'http://panel.test' })
  reachable = panel.deps.nodes as MemoryNodes
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())
beforeEach(async () => {
  const { db } = panel.deps
  await db.delete(projects)
  await db.delete(nodes).where(ne(nodes.id, own))
  await db.update(nodes).set({ labels: [], isPaused: false, facts: null, seenAt: null, problems: [] })
  for (const id of reachable.facts.keys()) if (id !== own) reachable.facts.delete(id)
})

const list = async () => (await admin.request('GET', '/api/machines')).json<MachineList>().machines
const show = async (id: string) => (await admin.request('GET', `/api/machines/${id}`)).json<MachineDetails>()
const change = (id: string, values: object) => admin.request('PATCH', `/api/machines/${id}`, values)
const add = (values: object = {}) => admin.request('POST', '/api/machines', { ...m2, ...values })
const create = (by: Client, values: object = {}) =>
  by.request('POST', '/api/projects', {
    name: `p${Date.now()}${Math.random()}`.replace('.', ''),
    type: 'NODEJS',
    ...values
  })

test('one machine: what it has, what is promised, and which sites are there', async () => {
  const shop = await ann.createProject({ name: 'shop', instances: 2, size: { memoryMb: 256, cpus: 0.5, pids: 64 } })
  await ann.createProject({ name: 'blog' })
  expect(await list()).toMatchObject([{ id: own, status: 'ACTIVE', seenAt: null, memory: null, problems: [] }])
  await checkMachines(panel.deps)
  expect(await list()).toEqual([
    expect.objectContaining({
      name: 'local',
      isOwn: true,
      address: '10.0.0.1',
      status: 'ACTIVE',
      processors: someFacts.processors,
      memory: someFacts.memory,
      disk: someFacts.disk,
      panelVersion: version,
      engineVersion: expect.any(String),
      promised: { memoryBytes: (2 * 256 + 512) * 2 ** 20, cpus: expect.any(Number) },
      projects: 2,
      problems: []
    })
  ])
  const { sites, pagination } = await show(own)
  expect(pagination).toMatchObject({ total: 2 })
  expect(sites.map(({ name, owner }) => [name, owner])).toEqual([['blog', 'ann'], ['shop', 'ann']]) // oxfmt-ignore
  expect(sites[1]).toMatchObject({ projectId: shop.id, instances: 0 })
  expect(['ONLY', 'FILES']).toContain(sites[1]!.placement.sentences[0]!.code)
})

test('a paused machine takes no new projects, and what is there stays', async () => {
  await ann.createProject()
  expect((await change(own, { isPaused: true })).json<Machine>().status).toBe('PAUSED')
  expect((await create(ann)).json()).toMatchObject({ code: 'NODE_UNAVAILABLE' })
  expect((await show(own)).sites).toHaveLength(1)
  await change(own, { isPaused: false })
  expect((await create(ann)).statusCode).toBe(201)
})

test('projects go to a machine with their labels', async () => {
  expect((await create(ann, { machineLabels: ['region=eu'] })).json()).toMatchObject({ code: 'INVALID_TARGET' })
  const { labels } = (await change(own, { labels: ['ssd', 'region=eu', 'ssd'] })).json<Machine>()
  expect(labels).toEqual(['region=eu', 'ssd'])
  const project = (await create(ann, { machineLabels: ['region=eu'] })).json<{ id: string; machineLabels: string[] }>()
  expect(project.machineLabels).toEqual(['region=eu'])
  expect((await change(own, { labels: ['Region EU'] })).json()).toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('of two machines, the emptier one gets a project that keeps no files', async () => {
  await checkMachines(panel.deps)
  await ann.createProject({ name: 'heavy', size: { memoryMb: 2048, cpus: 1, pids: 64 } })
  const { id } = (await add()).json<Machine>()
  reachable.facts.set(id, someFacts)
  await checkMachines(panel.deps)
  const placed = async (keepsFiles: boolean) => {
    const project = (await create(ann, { keepsFiles })).json<{ id: string }>()
    const [row] = await panel.deps.db.select().from(projects).where(eq(projects.id, project.id))
    expect(row!.filesNodeId).toBe(own)
    return row!.nodeId
  }
  expect(await placed(true)).toBe(own)
  expect(await placed(false)).toBe(id)
  await change(id, { isPaused: true })
  expect(await placed(false)).toBe(own)
})

test('an added machine appears with its problems, and gets the status AWAY after three missed checks', async () => {
  const added = await add()
  expect(added.statusCode).toBe(201)
  const { id, ...machine } = added.json<Machine>()
  expect(machine).toMatchObject({ name: 'm2', address: '10.0.0.2', roles: ['SITES'], status: 'JOINING', isOwn: false })
  expect(machine.problems[0]!.sentences).toEqual([{ code: 'UNREACHABLE', values: { reason: 'Connection refused' } }])
  const [row] = await panel.deps.db.select().from(nodes).where(eq(nodes.id, id))
  expect(row!.ssh).toEqual({ host: '10.0.0.2', port: 2222, hostKey })

  reachable.facts.set(id, { ...someFacts, isDebian: false, system: 'Alpine', clockSkewMs: -9_000 })
  const checked = (await admin.request('POST', `/api/machines/${id}/check`)).json<Machine>()
  expect(checked).toMatchObject({ status: 'ACTIVE', system: 'Alpine', memory: someFacts.memory })
  expect(checked.problems.map(({ sentences }) => sentences[0]!.code)).toEqual(['NOT_DEBIAN', 'CLOCK'])

  reachable.facts.delete(id)
  for (const status of ['ACTIVE', 'ACTIVE', 'AWAY']) {
    await checkMachines(panel.deps)
    expect((await show(id)).machine).toMatchObject({ status, memory: someFacts.memory })
  }
})

test('visitors can use an added machine, which DNS names while it serves', async () => {
  expect((await change(own, { isEdge: false })).json()).toMatchObject({ code: 'CONFLICT' })
  const { id } = (await add()).json<Machine>()
  const edge = reachable.edgeOf(id)
  const named = async () => {
    await checkMachines(panel.deps)
    await publishEdges(panel.deps)
    return listPublishedEdges(panel.deps.db)
  }
  reachable.facts.set(id, someFacts)
  const publicIp = '203.0.113.2'
  expect((await change(id, { isEdge: true, publicIp })).json<Machine>()).toMatchObject({ roles: ['SITES', 'EDGE'], publicIp }) // oxfmt-ignore
  expect(await named()).toEqual([publicIp])
  edge.problem = 'no worker'
  expect(await named()).toEqual([])
  expect((await show(id)).machine.problems[0]!.sentences).toEqual([{ code: 'PROXY', values: { reason: 'no worker' } }])
  edge.problem = undefined
  await change(id, { isPaused: true })
  expect(await named()).toEqual([])
  await change(id, { isPaused: false })
  expect(await named()).toEqual([publicIp])

  expect((await admin.request('DELETE', `/api/machines/${id}`)).json()).toMatchObject({ code: 'CONFLICT' })
  await edge.follow()
  await removeEdge(panel.deps, { id })
  expect(edge.follows).toBe(1)
  await change(id, { isEdge: false })
  await removeEdge(panel.deps, { id })
  expect(edge.follows).toBeUndefined()
  expect((await admin.request('DELETE', `/api/machines/${id}`)).statusCode).toBe(204)
})

test('an engine that does not respond is a problem of its machine', async () => {
  const engine = panel.deps.engine as MemoryContainerEngine
  engine.fail = 'unreachable'
  await checkMachines(panel.deps)
  engine.fail = undefined
  const [machine] = await list()
  expect(machine).toMatchObject({ engineVersion: null, status: 'ACTIVE' })
  expect(machine!.problems[0]!.sentences[0]!.code).toBe('ENGINE')
})

test('a machine is removed, except the panel’s own', async () => {
  const { id } = (await add()).json<Machine>()
  expect((await add({ host: '10.0.0.3' })).json()).toMatchObject({ code: 'CONFLICT' })
  expect((await admin.request('DELETE', `/api/machines/${own}`)).json()).toMatchObject({ code: 'CONFLICT' })
  expect((await admin.request('DELETE', `/api/machines/${id}`)).statusCode).toBe(204)
  expect(reachable.forgotten).toContain(id)
  expect((await admin.request('GET', `/api/machines/${id}`)).statusCode).toBe(404)
  expect((await panel.audited({ targetId: id })).map(({ action }) => action)).toEqual([
    'machine.added',
    'machine.removed'
  ])
})

test.each([
  ['an option as address', { host: '-oProxyCommand=id' }],
  ['a user in the address', { host: 'root@m2' }],
  ['a private key', { hostKey: '-----BEGIN OPENSSH PRIVATE KEY-----' }],
  ['a key with a second line', { hostKey: `${hostKey}\nm2 ${hostKey}` }]
])('%s is refused', async (_, values) => {
  expect((await add(values)).json()).toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('the panel’s key comes with the command that allows it', async () => {
  const { publicKey, command } = (await admin.request('GET', '/api/machine-key')).json<MachineKey>()
  expect(command).toContain(`restrict,port-forwarding ${publicKey}`)
})

test('a machine that does not respond keeps no directories of an account from the others', async () => {
  const { db } = panel.deps
  const { id: away } = (await add()).json<Machine>()
  const [there, here] = [await ann.createProject({ name: 'there' }), await ann.createProject({ name: 'here' })]
  await db.update(projects).set({ filesName: 'old' })
  await db.update(projects).set({ filesNodeId: away }).where(eq(projects.id, there.id)) // oxfmt-ignore
  await expect(syncProjectDirectories(panel.deps, ann.user.id)).rejects.toMatchObject({ kind: 'node-unavailable' })
  const rows = await db.select({ id: projects.id, filesName: projects.filesName }).from(projects)
  expect(new Map(rows.map(({ id, filesName }) => [id, filesName]))).toEqual(
    new Map([
      [there.id, 'old'],
      [here.id, 'here']
    ])
  )
})

describe('the encrypted network', () => {
  const join = async (values: object = {}) => {
    const { id } = (await add({ isEncrypted: true, ...values })).json<Machine>()
    reachable.facts.set(id, someFacts)
    return id
  }
  const checked = async (id: string) => (await admin.request('POST', `/api/machines/${id}/check`)).json<Machine>()
  const codes = ({ problems }: Machine) => problems.map(({ sentences }) => sentences[0]!.code)

  test.each([
    ['10.0.0.2', undefined, false],
    ['9.9.9.9', undefined, true],
    ['9.9.9.9', false, false],
    ['10.0.0.2', true, true]
  ])('has a machine at %s, if asked %s: %s', async (host, isEncrypted, expected) => {
    expect((await add({ host, isEncrypted })).json()).toMatchObject({ isEncrypted: expected })
  })

  test('has two ends for each machine, and every problem of theirs keeps sites away', async () => {
    const id = await join({ host: '9.9.9.9' })
    const other = await join({ name: 'm3', host: '9.9.9.8' })
    for (const each of [id, other]) expect(codes(await checked(each))).toEqual([])
    const [here, there] = [reachable.tunnels.get(own)!, reachable.tunnels.get(id)!]
    expect(here.peers).toMatchObject([
      { address: '10.83.0.2', ownAddress: '10.83.0.1', endpoint: '9.9.9.9:51820' },
      { address: '10.83.0.3', ownAddress: '10.83.0.1', endpoint: '9.9.9.8:51820' }
    ])
    expect(there.peers).toMatchObject([{ address: '10.83.0.1', ownAddress: '10.83.0.2' }])
    here.isSilent = true
    expect(codes(await checked(id))).toEqual(['TUNNEL_SILENT'])
    here.isSilent = false
    there.missingPackages = ['wireguard-tools']
    expect(codes(await checked(id))).toEqual(['TUNNEL_PACKAGES'])
    here.missingPackages = ['wireguard-go']
    expect(codes(await checked(id))).toEqual(['TUNNEL_PACKAGES_HERE'])
    here.missingPackages = []
  })

  test('is left and entered only while no project is on the machine', async () => {
    const id = await join()
    await checked(id)
    await checkMachines(panel.deps)
    await change(own, { isPaused: true })
    const project = (await create(ann, { keepsFiles: false })).json<{ id: string }>()
    await change(own, { isPaused: false })
    expect((await change(id, { isEncrypted: false })).json()).toMatchObject({ code: 'CONFLICT' })
    expect((await change(own, { isEncrypted: true })).json()).toMatchObject({ code: 'CONFLICT' })
    expect((await change(id, { isEncrypted: true, labels: ['ssd'] })).statusCode).toBe(200)
    await panel.deps.db.delete(projects).where(eq(projects.id, project.id))
    expect((await change(id, { isEncrypted: false })).json()).toMatchObject({ isEncrypted: false })
    expect([own, id].map((each) => reachable.tunnels.get(each)!.peers)).toEqual([undefined, undefined])
    await change(id, { isEncrypted: true })
    expect(reachable.tunnels.get(own)!.peers).toHaveLength(1)
    await admin.request('DELETE', `/api/machines/${id}`)
    expect([own, id].map((each) => reachable.tunnels.get(each)!.peers)).toEqual([undefined, undefined])
  })

  test('forgets a lost machine without reaching it', async () => {
    const id = await join()
    await checked(id)
    await panel.deps.db.update(nodes).set({ missedChecks: 3 }).where(eq(nodes.id, id))
    expect((await admin.request('DELETE', `/api/machines/${id}?lost=true`)).statusCode).toBe(204)
    expect(reachable.tunnels.get(own)!.peers).toBeUndefined()
    expect(reachable.tunnels.get(id)!.peers).toHaveLength(1)
  })

  test('has no address for more machines than its range', async () => {
    const { config } = panel.deps
    panel.deps.config = { ...config, MACHINE_TUNNEL_SUBNET: '10.83.0.0/29' }
    const answers = []
    for (let n = 2; n < 8; n++) answers.push((await add({ name: `m${n}`, isEncrypted: true })).statusCode)
    panel.deps.config = config
    expect(answers).toEqual([201, 201, 201, 201, 201, 409])
  })
})

describe('a command with which a machine adds itself', () => {
  const join = (token: string) =>
    panel.app.inject({ method: 'POST', url: '/api/machine-joins/use', payload: { token, hostKey, port: 2222 } })
  const offer = async (values: object = {}) => {
    const offered = await admin.request('POST', '/api/machine-joins', { name: 'm3', ...values })
    const { command } = offered.json<{ command: string }>()
    return { command, token: / ([\w-]{43}) /.exec(command)![1]! }
  }

  test('works once', async () => {
    const { command, token } = await offer()
    expect(command).toContain('ssh-ed25519 ')
    expect((await join(token)).statusCode).toBe(201)
    expect(await list()).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'm3', address: '127.0.0.1', status: 'JOINING' })])
    )
    expect((await join(token)).json()).toMatchObject({ code: 'LINK_INVALID' })
  })

  test('is refused while the panel has no address for other machines', async () => {
    const { config } = panel.deps
    panel.deps.config = { ...config, API_BASE_URL: 'http://localhost:3000' }
    const refused = await admin.request('POST', '/api/machine-joins', { name: 'm3' })
    panel.deps.config = config
    expect(refused.json()).toMatchObject({ code: 'CONFLICT' })
  })

  test('installs WireGuard if the machine may get into the encrypted network', async () => {
    const has = async (values: object) => (await offer(values)).command.includes('wireguard')
    expect(await has({})).toBe(true)
    expect(await has({ host: '10.9.0.3' })).toBe(false)
    expect(await has({ isEncrypted: false })).toBe(false)
    await join((await offer({ host: '10.9.0.3', isEncrypted: true })).token)
    expect((await list()).find(({ name }) => name === 'm3')).toMatchObject({ isEncrypted: true })
  })

  test('names another address', async () => {
    await join((await offer({ host: '10.9.0.3' })).token)
    expect((await list()).map(({ address }) => address)).toContain('10.9.0.3')
  })
})
