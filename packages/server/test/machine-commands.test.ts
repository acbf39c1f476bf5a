import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { MachineDetails } from '@panel/contract/machines'
import { eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/src/run.ts'
import { containerSlots } from '../src/db/schema/container-slots.ts'
import { deployments } from '../src/db/schema/deployments.ts'
import { nodes } from '../src/db/schema/nodes.ts'
import { projects } from '../src/db/schema/projects.ts'
import { retireContainer } from '../src/features/containers/retire.jobs.ts'
import { runQueue } from '../src/features/deployments/deployment-runner.jobs.ts'
import { leaveMachines } from '../src/features/deployments/machine-moves.service.ts'
import { runUpgrades } from '../src/features/machine-upgrades/machine-upgrades.jobs.ts'
import { label } from '../src/infra/container-engine/labels.ts'
import { createMemoryEngine } from './fakes/memory-container-engine.ts'
import { createMemoryHostFirewall } from './fakes/memory-host-firewall.ts'
import { type MemoryNodes, someFacts } from './fakes/memory-nodes.ts'
import { createMemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { deployedSite, type DeployedSite } from './support/deployed-site.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

const m2 = 'm2'
const facts = { ...someFacts, link: { panel: '10.0.0.1', machine: '10.0.0.2' } }
const kept = { image: 'panel-site:1', imageSpec: { port: 8080, readOnlyRoot: true, volumes: [] } }
const engine = createMemoryEngine()
const elsewhere = createMemoryEngine()
const network = { subnet: '172.30.0.0/27', gateway: '172.30.0.1', pools: ['172.30.0.0/16'], networkPrefix: 27 }

let panel: TestPanel
let ada: Client
let site: DeployedSite
let env: Record<string, string>

beforeAll(async () => {
  panel = await createTestPanel({ DEPLOY_DRAIN_SECONDS: '0' }, { engine, proxy: createMemoryReverseProxy(network) })
  const { db, fileStore, hostHelper, hostsFiles, nodes: reachable } = panel.deps
  const { adapters, facts: known } = reachable as MemoryNodes
  await db.insert(nodes).values({ id: m2, name: m2, roles: ['SITES'], seenAt: new Date(), ssh: { host: 'm2', port: 22, hostKey: 'x' }, facts: { ...facts, engineVersion: '', panelVersion: '' } }) // oxfmt-ignore
  adapters.set(m2, { engine: elsewhere, fileStore, hostFirewall: createMemoryHostFirewall(), hostHelper, hostsFiles })
  known.set(m2, facts)
  ada = await panel.signUp('ada')
  site = await deployedSite(panel, ada, engine)
  await engine.importImage(Readable.from(['tar']), kept.image, [`LABEL ${label.instance}=test`])
  await db.update(deployments).set(kept).where(eq(deployments.projectId, site.id))
  await db.update(projects).set({ name: 'web', keepsFiles: false }).where(eq(projects.id, site.id))
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const made = await ada.request('POST', '/api/auth/tokens', { name: 'cli', scope: 'full', expiresInDays: 1, password })
  const { port } = panel.app.server.address() as AddressInfo
  env = { PANEL_URL: `http://127.0.0.1:${port}`, PANEL_TOKEN: made.json<{ token: string }>().token }
})
afterAll(() => panel?.close())

async function cli(...argv: string[]) {
  const ended = { code: -1, stdout: '', stderr: '' }
  ended.code = await run(argv, {
    env,
    cwd: '/',
    stdin: process.stdin,
    stdout: { write: (text) => (ended.stdout += String(text)) },
    stderr: { write: (text) => (ended.stderr += String(text)) },
    signal: new AbortController().signal
  })
  return ended
}
const details = async (name: string) =>
  JSON.parse((await cli('machines', 'show', name, '--json')).stdout) as MachineDetails
async function deployQueued() {
  const buildNetworks = { acquire: () => Promise.reject(new Error('nothing is built here')) }
  const worker = { signal: new AbortController().signal, lease: { workerId: 1 }, buildNetworks }
  await runQueue(panel.deps, worker, 'image')
}
async function retireAll() {
  for (const { deploymentId } of await panel.deps.db.select().from(containerSlots).where(isNotNull(containerSlots.retiredAt))) await retireContainer(panel.deps, deploymentId, new AbortController().signal) // oxfmt-ignore
}

test('a project is moved by its name, or by its id if several accounts have that name', async () => {
  expect(await cli('machines', 'move', 'nothing', m2)).toMatchObject({ code: 1 })
  const eve = await panel.createUser(ada, { email: 'eve@example.com' })
  const { id } = await eve.createProject({ name: 'web' })
  const unclear = await cli('machines', 'move', 'web', m2)
  expect(unclear).toMatchObject({ code: 1, stderr: expect.stringContaining(id) })
  expect(await cli('machines', 'move', site.id, m2)).toMatchObject({ code: 0 })
  await deployQueued()
  expect((await details(m2)).sites).toMatchObject([{ projectId: site.id }])
})

test('a machine is drained after a confirmation, and the command waits until nothing is left to move', async () => {
  expect(await cli('machines', 'drain', m2)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect((await details(m2)).machine.isDraining).toBe(false)
  const draining = cli('machines', 'drain', m2, '--yes')
  await expect.poll(() => details(m2)).toMatchObject({ machine: { isDraining: true }, drain: { moving: 1 } })
  await leaveMachines(panel.deps)
  await deployQueued()
  expect(await draining).toMatchObject({ code: 0 })
  expect((await details(m2)).sites).toEqual([])
})

test('the command says that a drain was ended by another person', async () => {
  expect(await cli('machines', 'set', m2, '--resume')).toMatchObject({ code: 0 })
  expect(await cli('machines', 'move', site.id, m2)).toMatchObject({ code: 0 })
  await deployQueued()
  const draining = cli('machines', 'drain', m2, '--yes')
  await expect.poll(async () => (await details(m2)).machine.isDraining).toBe(true)
  await cli('machines', 'set', m2, '--resume')
  expect(await draining).toMatchObject({ code: 1 })
})

test('an upgrade that fails leaves the machine drained; repeated, it brings the project back', async () => {
  const { edgeOf, packages } = panel.deps.nodes as MemoryNodes
  await panel.deps.db
    .update(nodes)
    .set({ roles: ['SITES', 'EDGE'] })
    .where(eq(nodes.id, m2))
  const upgrade = () => runUpgrades(panel.deps, new AbortController().signal)
  const failure = async () => (await details(m2)).machine.upgrade?.failure
  expect(await cli('machines', 'upgrade', m2)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })

  packages.problem = 'E: no package lists'
  const failing = cli('machines', 'upgrade', m2, '--yes')
  await expect.poll(() => details(m2)).toMatchObject({ machine: { isDraining: true }, drain: { moving: 1 } })
  expect(await cli('machines', 'upgrade', 'local', '--yes')).toMatchObject({ code: 1 })
  await leaveMachines(panel.deps)
  await deployQueued()
  await retireAll()
  await upgrade()
  expect(await failing).toMatchObject({ code: 1, stderr: expect.stringContaining(packages.problem) })
  expect(await details(m2)).toMatchObject({ machine: { isDraining: true, upgrade: { step: 'INSTALLING' } }, sites: [] })

  packages.problem = undefined
  const repeated = cli('machines', 'upgrade', '--yes')
  await expect.poll(failure).toBeNull()
  await upgrade()
  await deployQueued()
  expect(await repeated).toMatchObject({ code: 0 })
  const { machine, sites } = await details(m2)
  expect(machine).toMatchObject({ status: 'ACTIVE', isDraining: false, upgrade: { step: 'DONE', failure: null } })
  expect(sites).toMatchObject([{ projectId: site.id }])
  expect([packages.upgrades, edgeOf(m2).renewals]).toEqual([1, 1])
})

test('a machine that does not respond is removed as lost', async () => {
  expect(await cli('machines', 'move', site.id, 'local')).toMatchObject({ code: 0 })
  await deployQueued()
  await panel.deps.db.update(nodes).set({ missedChecks: 3 }).where(eq(nodes.id, m2))
  expect(await cli('machines', 'remove', m2)).toMatchObject({ code: 1 })
  expect(await cli('machines', 'remove', m2, '--lost')).toMatchObject({ code: 0 })
  expect(await cli('machines', 'show', m2)).toMatchObject({ code: 1 })
})

test('settings has where a project may be', async () => {
  await cli('machines', 'set', 'local', '--labels', 'ssd,region=eu')
  const changed = await cli('settings', site.id, 'machineLabels=ssd,region=eu', '--json')
  expect(JSON.parse(changed.stdout)).toMatchObject({ keepsFiles: false, machineLabels: ['region=eu', 'ssd'] })
})
