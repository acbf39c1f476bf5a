import type { UptimeCheckList } from '@panel/contract/uptime-checks'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { createMemoryHostMetrics } from '../../packages/server/test/fakes/memory-host-metrics.ts'
import { addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample, type Sample } from '../support/sample.ts'

const mebibyte = 2 ** 20
const hostMetrics = createMemoryHostMetrics()
let pages: Pages
let sample: Sample
beforeAll(async () => {
  pages = await startPages({}, { hostMetrics })
  sample = await fillSample(pages.panel)
  await runs(sample.projectId, 'container-of-the-shop')
})
afterAll(() => pages?.close())

const reading = (memoryUsed: number) => ({
  cpuSeconds: 1,
  memoryUsed,
  memoryLimit: 512 * mebibyte,
  network: { received: 0, sent: 0 }
})

async function runs(projectId: string, containerId: string): Promise<void> {
  await pages.panel.deps.db.update(projects).set({ containerId }).where(eq(projects.id, projectId))
  hostMetrics.containers.set(containerId, reading(64 * mebibyte))
}

test('an administrator sees live and past server metrics', async () => {
  const { page, complaints } = await pages.open(sample.admin)
  await page.goto('/server/monitoring')
  const now = page.getByRole('region', { name: 'Now' })
  await expect.poll(() => now.innerText()).toContain('10 GB of 100 GB')
  hostMetrics.host = { ...hostMetrics.host, disk: { used: 95 * 2 ** 30, total: 100 * 2 ** 30 } }
  await expect.poll(() => now.innerText()).toContain('95 GB of 100 GB')
  await now.getByText('Above threshold').waitFor()
  const picture = page.getByRole('img', { name: /^Memory: Memory \d+.*Alert above/ })
  await picture.locator('canvas').waitFor()
  await page.getByRole('link', { name: '24 hours' }).click()
  await expect.poll(() => page.url()).toContain('range=24h')
  await page.getByRole('button', { name: 'Show as table CPU' }).click()
  const table = page.getByRole('region', { name: 'CPU: average over time' })
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(20)
  expect(await table.getByRole('row').count()).toBeLessThan(26)
  expect(complaints).toEqual([])
})

test('container metrics update live and link to the project', async () => {
  const { page, complaints } = await pages.open(sample.admin)
  await page.goto('/server/monitoring?sort=memory')
  const row = page.getByRole('row', { name: /storefront/ })
  await expect.poll(() => row.innerText()).toContain('64 MB / 512 MB')
  hostMetrics.containers.set('container-of-the-shop', reading(96 * mebibyte))
  await expect.poll(() => row.innerText()).toContain('96 MB / 512 MB')
  expect(await accessibilityProblems(page)).toEqual([])
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: 'storefront' }).waitFor()
  expect(complaints).toEqual([])
})

test('other accounts see only their own containers', async () => {
  const { id } = await sample.customer.createProject({ name: 'bakery' })
  await runs(id, 'container-of-the-bakery')
  const { page, complaints } = await pages.open(sample.customer)
  await page.goto('/server/monitoring')
  await page.getByRole('row', { name: /bakery/ }).waitFor()
  expect(await page.getByRole('row', { name: /storefront/ }).count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Now' }).count()).toBe(0)
  expect(await page.getByRole('img').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a project shows traffic and container metrics', async () => {
  const { page, complaints } = await pages.open(sample.admin)
  await page.goto(`/projects/${sample.projectId}`)
  await page.getByRole('navigation', { name: 'Project sections' }).getByRole('link', { name: 'Monitoring' }).click() // oxfmt-ignore
  for (const name of [/^Requests and errors: Requests \d/, /^Response time: p50/, /^Network: Received .*\/s/])
    await page.getByRole('img', { name }).locator('canvas').waitFor()
  const total = page.getByRole('region', { name: 'Traffic' })
  const before = await total.innerText()
  await page.getByRole('link', { name: '1 hour' }).click()
  await expect.poll(() => total.innerText()).not.toBe(before)
  expect(complaints).toEqual([])
})

test('a failing part does not affect the rest and recovers on retry', async () => {
  const { page } = await pages.open(sample.admin)
  const refused = { code: 'WORKER_UNAVAILABLE', message: 'The worker does not answer' }
  await page.route('**/api/monitoring/containers', (route) => route.fulfill({ status: 503, json: { error: true, ...refused } })) // oxfmt-ignore
  await page.route('**/socket.io/**', (route) => route.abort())
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  await page.goto('/server/monitoring')
  const containers = page.getByRole('region', { name: 'Containers' })
  await containers.getByText('A server component is unavailable').waitFor()
  await page.getByRole('img', { name: /^CPU/ }).locator('canvas').waitFor()
  await page.unroute('**/api/monitoring/containers')
  await containers.getByRole('row', { name: /storefront/ }).waitFor()
})

test('an uptime check is created, edited, paused and deleted with undo', async () => {
  const { page, complaints } = await pages.open(sample.admin)
  const checks = async () =>
    (await sample.admin.request('GET', `/api/projects/${sample.projectId}/uptime-checks`)).json<UptimeCheckList>().uptimeChecks // oxfmt-ignore
  const named = async (name: string) => (await checks()).find((check) => check.name === name)
  await page.goto(`/projects/${sample.projectId}/uptime`)
  await page.getByRole('button', { name: 'Add check' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add check' }).click()
  await expect.poll(() => dialog.locator('[aria-invalid=true]').count()).toBeGreaterThan(0)
  await dialog.getByLabel('Name', { exact: true }).fill('Start page')
  await dialog.getByLabel('Hostname').fill('elsewhere.example.org')
  await dialog.getByRole('button', { name: 'Add check' }).click()
  await expect.poll(() => dialog.getByLabel('Hostname').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Hostname').fill('shop.example.net')
  await dialog.getByLabel('Text to check for').fill('Welcome')
  await dialog.getByRole('button', { name: 'Add check' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await named('Start page')).toMatchObject({ text: 'Welcome', intervalMinutes: 5, paused: false })
  await page.getByRole('button', { name: 'Pause Start page' }).click()
  await page.getByRole('button', { name: 'Resume Start page' }).waitFor()
  expect(await named('Start page')).toMatchObject({ paused: true })
  await page.getByRole('button', { name: 'Edit Start page' }).click()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByLabel('Text to check for').fill('')
  await dialog.getByLabel('Interval (minutes)').fill('15')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await named('Start page')).toMatchObject({ text: null, intervalMinutes: 15, paused: true })
  await page.getByRole('button', { name: 'Delete Start page' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Delete Start page' }).click()
  await page.getByRole('link', { name: 'Overview' }).last().click()
  await expect.poll(() => named('Start page')).toBeUndefined()
  expect(complaints).toEqual([])
})

test('the check history shows uptime and incidents', async () => {
  const { page, complaints } = await pages.open(sample.admin)
  await page.goto(`/projects/${sample.projectId}/uptime`)
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  const history = page.getByRole('region', { name: 'History of Shop' })
  await history.getByText(/^9\d.* uptime/).waitFor()
  await history
    .getByRole('img', { name: /^Response time: Average \d+ ms/ })
    .locator('canvas')
    .waitFor()
  await history.getByRole('row', { name: /15 minutes Status code 502/ }).waitFor()
  await history.getByRole('link', { name: '90 days' }).click()
  await expect.poll(() => page.url()).toContain('range=90d')
  expect(complaints).toEqual([])
})

test('a status page is published and disabled', async () => {
  const { page, complaints } = await pages.open(sample.admin)
  await page.goto(`/projects/${sample.projectId}/uptime`)
  const section = page.getByRole('region', { name: 'Status page' })
  await section.getByLabel('Address').fill('Not An Address')
  await section.getByRole('switch').press('Space')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => section.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
  await section.getByLabel('Address').fill('the-shop')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByRole('link', { name: 'Open status page' }).waitFor()
  const status = async () => (await fetch(`${pages.url}/status/the-shop`)).status
  expect(await status()).toBe(200)
  await section.getByRole('switch').press('Space')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.poll(status).toBe(404)
  expect(complaints).toEqual([])
})

test('a hostname that loads after the dialog of a check opens is offered', async () => {
  const { id } = await sample.admin.createProject({ name: 'watched' })
  await addVerifiedDomain(sample.admin, 'watched.example.info', { projectId: id })
  const { page } = await pages.open(sample.admin)
  let answer: (() => void) | undefined
  const isRequested = new Promise<void>((requested) => {
    void page.route(/\/api\/domains\?.*status=ACTIVE/, async (route) => {
      requested()
      await new Promise<void>((resolve) => (answer = resolve))
      await route.continue()
    })
  })
  await page.goto(`/projects/${id}/uptime`)
  await page.getByRole('button', { name: 'Add check' }).click()
  await isRequested
  const host = page.getByRole('dialog').getByLabel('Hostname')
  expect(await host.inputValue()).toBe('')
  answer?.()
  await expect.poll(() => host.inputValue()).toBe('watched.example.info')
})
