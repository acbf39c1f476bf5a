import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { label } from '../../packages/server/src/infra/container-engine/labels.ts'
import { createMemoryEngine } from '../../packages/server/test/fakes/memory-container-engine.ts'
import { liveTestClients } from '../../packages/server/test/support/live.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

const engine = createMemoryEngine()
const others = liveTestClients(() => pages.url)
let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages({}, { engine })
  ann = await pages.panel.signUp('ann')
  await engine.pullImage('site:1', () => {})
  await engine.ensureNetwork('sites', { [label.instance]: 'test' })
})
afterEach(() => others.close())
afterAll(() => pages?.close())

async function runSite(projectId: string): Promise<string> {
  const id = await engine.createContainer({
    ...{ name: newId(Date.now()), image: 'site:1', env: {}, user: '1:1', network: 'sites', address: '10.0.0.9' },
    ...{ containerPort: 1, memoryBytes: 1, cpus: 1, pids: 1, readOnlyRoot: true, volumes: [], binds: [] },
    labels: { [label.instance]: pages.panel.deps.instanceId, [label.project]: projectId }
  })
  await engine.startContainer(id)
  await pages.panel.deps.db.update(projects).set({ containerId: id }).where(eq(projects.id, projectId))
  return id
}
const open = async (projectId: string, query = '') => {
  const opened = await pages.open(ann)
  await opened.page.goto(`/projects/${projectId}/logs${query}`)
  return { ...opened, log: opened.page.getByRole('region', { name: 'Container log' }) }
}

test('streams the container log, including stop and start', async () => {
  const { id } = await ann.createProject()
  const { page, log, complaints } = await open(id)
  await page.getByText('No container').waitFor()
  const containerId = await runSite(id)
  engine.write(containerId, 'listening\n')
  await log.getByText('listening').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await engine.stopContainer(containerId, 0)
  await page.getByText('The container is stopped').waitFor()
  await engine.startContainer(containerId)
  engine.write(containerId, 'listening again\n')
  await log.getByText('listening again').waitFor()
  await expect.poll(() => page.getByText('The container is stopped').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the number of lines is chosen and kept in the URL', async () => {
  const { id } = await ann.createProject()
  const containerId = await runSite(id)
  engine.write(containerId, Array.from({ length: 600 }, (_, line) => `line ${line + 1}\n`).join(''))
  const { page, log } = await open(id, '?tail=500')
  await page.getByText('500 lines', { exact: true }).waitFor()
  await log.getByText('line 600').waitFor()
  await page.getByLabel('Lines to show').selectOption('5000')
  await page.getByText('600 lines', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test('the search is kept in the URL and includes new lines', async () => {
  const { id } = await ann.createProject()
  const containerId = await runSite(id)
  engine.write(containerId, 'first needle\n')
  const { page } = await open(id, '?find=needle')
  await page.getByText('1 of 1', { exact: true }).waitFor()
  engine.write(containerId, 'nothing\nanother nee')
  engine.write(containerId, 'dle\n')
  await page.getByText('1 of 2', { exact: true }).waitFor()
})

test('a refused log shows the reason and appears when there is room', async () => {
  const { id } = await ann.createProject()
  engine.write(await runSite(id), 'there it is\n')
  const client = await others.connect({ cookie: ann.cookie })
  for (let n = 0; n < 10; n++) {
    const project = await ann.createProject()
    await client.ask('subscribe:container-log', { projectId: project.id })
  }
  await expect.poll(() => client.of('container:log-state')).toHaveLength(10)
  const { page, log } = await open(id)
  await page.getByText('Too many concurrent followed logs').waitFor()
  client.socket.disconnect()
  await log.getByText('there it is').waitFor()
  await expect.poll(() => page.getByText('Too many concurrent').count()).toBe(0)
})

test('a container is restarted, stopped and started', async () => {
  const { id, name } = await ann.createProject()
  const containerId = await runSite(id)
  await pages.panel.deps.db.update(projects).set({ containerStatus: 'running' }).where(eq(projects.id, id))
  const startedAt = () => engine.containers.get(containerId)?.state.startedAt
  const isRunning = () => engine.containers.get(containerId)?.state.running
  const { page, complaints } = await open(id)
  const button = (button: string) => page.getByRole('button', { name: button, exact: true })
  const before = startedAt()
  await button('Restart').click()
  await page.getByText('Container restarted').waitFor()
  expect(startedAt()).not.toBe(before)
  await button('Stop').click()
  await page.getByText('Container stopped').waitFor()
  await page.getByText('Stopped', { exact: true }).waitFor()
  expect([isRunning(), await button('Restart').count(), await button('Stop').count()]).toEqual([false, 0, 0])
  await button('Start').click()
  await page.getByText('Container started').waitFor()
  await page.getByText('Running', { exact: true }).waitFor()
  expect(isRunning()).toBe(true)

  await page.goto('/projects')
  await page.getByRole('button', { name: `Actions of ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Stop', exact: true }).click()
  await page.getByRole('row', { name }).getByText('Stopped', { exact: true }).waitFor()
  expect(isRunning()).toBe(false)
  const written = await pages.panel.audited({ targetId: id })
  expect(written.map(({ action }) => action).filter((action) => action.startsWith('container.'))).toEqual(
    ['restarted', 'stopped', 'started', 'stopped'].map((what) => `container.${what}`)
  )
  expect(complaints).toEqual([])
})
