import type { MachineList } from '@panel/contract/machines'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { containerSlots } from '../../packages/server/src/db/schema/container-slots.ts'
import { deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { nodes } from '../../packages/server/src/db/schema/nodes.ts'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { reserveSlot } from '../../packages/server/src/features/containers/host-port.service.ts'
import { runUpgrades } from '../../packages/server/src/features/machine-upgrades/machine-upgrades.jobs.ts'
import { findUid } from '../../packages/server/src/features/users/account-access.ts'
import { createMemoryEngine } from '../../packages/server/test/fakes/memory-container-engine.ts'
import { type MemoryNodes, someFacts } from '../../packages/server/test/fakes/memory-nodes.ts'
import { deployedSite, type DeployedSite } from '../../packages/server/test/support/deployed-site.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { lookAt } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'

const m2 = 'm2'
const kept = { image: 'panel-site:1', imageSpec: { port: 8080, readOnlyRoot: true, volumes: [] } }
const engine = createMemoryEngine()

let pages: Pages
let ada: Client
let site: DeployedSite
beforeAll(async () => {
  pages = await startPages({}, { engine })
  const { panel } = pages
  ada = await panel.signUp('ada')
  await ada.createProject({ name: 'shop' })
  site = await deployedSite(panel, ada, engine)
  await panel.deps.db.update(deployments).set(kept).where(eq(deployments.projectId, site.id))
  await addMachine()
})
afterAll(() => pages?.close())

async function addMachine() {
  const { deps } = pages.panel
  const facts = { ...someFacts, engineVersion: '', panelVersion: '' }
  await deps.db.insert(nodes).values({ id: m2, name: m2, roles: ['SITES'], seenAt: new Date(), ssh: { host: 'm2', port: 22, hostKey: 'x' }, facts }) // oxfmt-ignore
  ;(deps.nodes as MemoryNodes).facts.set(m2, someFacts)
}
const machine = async (name: string) =>
  (await ada.request('GET', '/api/machines')).json<MachineList>().machines.find((each) => each.name === name)
const siteRow = async () => (await pages.panel.deps.db.select().from(projects).where(eq(projects.id, site.id)))[0]!

test('a project keeps no files only after a confirmation', async () => {
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/projects/${site.id}/settings`)
  const form = page.getByRole('form', { name: 'Instances' })
  const choice = form.getByRole('checkbox', { name: 'Keep files in /data' })
  await choice.uncheck()
  await form.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await siteRow()).toMatchObject({ keepsFiles: true })
  await form.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(siteRow).toMatchObject({ keepsFiles: false })
  await dialog.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('drains a machine and resumes it', async () => {
  const { page, complaints } = await pages.open(ada)
  await page.goto('/server/machines')
  await page.getByRole('link', { name: 'local' }).click()
  await page.getByRole('button', { name: 'Drain machine' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Drain machine' }).click()
  await page.getByText('Draining', { exact: true }).waitFor()
  await page.getByText('1 project is still to move').waitFor()
  expect(await lookAt(page, 'machine that is drained', 0)).toEqual([])
  expect(await machine('local')).toMatchObject({ isDraining: true, status: 'PAUSED' })
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Drain machine' }).waitFor()
  expect(await machine('local')).toMatchObject({ isDraining: false, status: 'ACTIVE' })
  expect(complaints).toEqual([])
})

test('upgrades a machine: why it stopped, and when it ended', async () => {
  const { deps } = pages.panel
  const { packages } = deps.nodes as MemoryNodes
  packages.problem = 'E: no package lists'
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/server/machines/${m2}`)
  await page.getByRole('button', { name: 'Upgrade machine' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Upgrade machine' }).click()
  await page.getByText('Projects are moving to other machines.').waitFor()
  const run = () => runUpgrades(deps, new AbortController().signal)
  await run()
  await page.getByText(packages.problem).waitFor()
  expect(await lookAt(page, 'machine whose upgrade stopped', 0)).toEqual([])
  packages.problem = undefined
  await page.getByRole('button', { name: 'Upgrade again' }).click()
  await dialog.getByRole('button', { name: 'Upgrade machine' }).click()
  await dialog.waitFor({ state: 'detached' })
  await run()
  await page.getByText('Last upgrade:').waitFor()
  expect(await machine(m2)).toMatchObject({ status: 'ACTIVE', isDraining: false })
  expect(complaints).toEqual([])
})

test('a project says on which machines its instances are', async () => {
  const { deps } = pages.panel
  const { liveDeploymentId: deploymentId } = await siteRow()
  const uid = (await findUid(deps.db, ada.user.id))!
  const slot = { nodeId: m2, projectId: site.id, deploymentId: deploymentId!, instance: 1, containerPort: 8080 }
  const reserved = await reserveSlot(deps, uid, slot)
  await deps.db.update(nodes).set({ missedChecks: 3 }).where(eq(nodes.id, m2))
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/projects/${site.id}`)
  await page.getByText('local: 1 instance').waitFor()
  await page.getByText('m2 is not responding: 1 instance gets no requests').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await deps.db.update(nodes).set({ missedChecks: 0 }).where(eq(nodes.id, m2))
  await deps.db.delete(containerSlots).where(and(eq(containerSlots.nodeId, m2), eq(containerSlots.port, reserved.port)))
  expect(complaints).toEqual([])
})

test('moves a site that may move', async () => {
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/server/machines/${pages.panel.deps.nodeId}`)
  await page.getByRole('button', { name: /^Move / }).waitFor()
  expect(await page.getByRole('button', { name: /^Move / }).count(), 'the other one has files').toBe(1)
  expect(await lookAt(page, 'machine with sites that may move', 1)).toEqual([])
  await page.getByRole('button', { name: /^Move / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Machine').selectOption('m2')
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Move site' }).click()
  await page.getByText(/is being deployed on m2/).waitFor()
  const queued = await pages.panel.deps.db.select().from(deployments).where(eq(deployments.targetNodeId, m2))
  expect(queued).toMatchObject([{ projectId: site.id }])
  expect(complaints).toEqual([])
})

test('removes a machine that does not respond, with the containers that it had', async () => {
  const { deps } = pages.panel
  const uid = (await findUid(deps.db, ada.user.id))!
  const [deployment] = await deps.db.select().from(deployments).where(eq(deployments.targetNodeId, m2))
  await reserveSlot(deps, uid, { nodeId: m2, projectId: site.id, deploymentId: deployment!.id, containerPort: 8080 })
  await deps.db.update(nodes).set({ missedChecks: 3 }).where(eq(nodes.id, m2))
  const { page, complaints } = await pages.open(ada)
  await page.goto(`/server/machines/${m2}`)
  await page.getByRole('button', { name: 'Remove as lost' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(m2)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove as lost' }).click()
  await page.getByText('m2 removed').waitFor()
  expect(await machine(m2)).toBeUndefined()
  expect(complaints).toEqual([])
})
