import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { trafficPoints } from '../../packages/server/src/db/schema/traffic.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { addDomain, addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

async function addSite(): Promise<string> {
  const { db, nodeId } = pages.panel.deps
  const { id } = await ann.createProject()
  const row = { projectId: id, userId: ann.user.id, trigger: 'MANUAL' } as const
  const ids = Array.from({ length: 7 }, () => newId())
  for (const [n, deploymentId] of ids.entries()) {
    const status = n === 6 ? 'FAILED' : 'RUNNING'
    await db
      .insert(deployments)
      .values({ ...row, id: deploymentId, status, commitMsg: `Commit ${n + 1} <b>`, duration: 65 })
  }
  const values = { liveDeploymentId: ids[5]!, deployedAt: new Date(), containerStatus: 'running' }
  await db
    .update(projects)
    .set({ ...values, deployedDomain: 'shop.apps.example.com' })
    .where(eq(projects.id, id))
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  const counts = { requests: 1_200, clientErrors: 20, serverErrors: 12, bytesIn: 1, bytesOut: 1, times: [1_200] }
  await db.insert(trafficPoints).values({ projectId: id, nodeId, at, seconds: 60, batch: newId(), ...counts })
  return id
}

test('the overview shows deployments, domains, traffic and uptime', async () => {
  const id = await addSite()
  await addVerifiedDomain(ann, 'shop.example.com', { projectId: id })
  await addDomain(ann, 'later.example.org', { projectId: id })
  const check = { name: 'Home page', hostname: 'shop.example.com', paused: true }
  await ann.request('POST', `/api/projects/${id}/uptime-checks`, check)
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}`)
  const rows = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('listitem').allInnerTexts()
  await expect
    .poll(() => rows('Recent deployments'))
    .toEqual([
      expect.stringMatching(/Commit 7 <b>\s*Failed\s.* · took 1m 5s/),
      expect.stringMatching(/Commit 6 <b>\s*Live/),
      ...[5, 4, 3].map((n) => expect.stringMatching(new RegExp(`Commit ${n} <b>\\s*Replaced`)))
    ])
  await expect
    .poll(async () => (await rows('Domains')).toSorted())
    .toEqual([expect.stringMatching(/later.*Not verified/s), expect.stringMatching(/shop.*Active/s)])
  await expect.poll(() => rows('Uptime')).toEqual([expect.stringMatching(/Home page\s*Paused/)])
  const requests = page.getByRole('region', { name: 'Last 24 hours' })
  await requests.getByText('1,200').first().waitFor()
  await requests.getByText('1%').waitFor()
  await requests
    .getByRole('img', { name: /^Requests per minute: / })
    .locator('canvas')
    .waitFor()
  expect(await page.getByRole('link', { name: 'Open site' }).getAttribute('href')).toBe('//shop.apps.example.com')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('link', { name: 'Commit 7 <b>' }).click()
  await page.waitForURL(`**/projects/${id}/deployments?d=*`)
  expect(complaints).toEqual([])
})

test('each block loads and fails separately', async () => {
  const id = await addSite()
  const { page } = await pages.open(ann)
  const json = { error: 'No figures here', code: 'CONFLICT' }
  await page.route(/\/traffic\?/, (route) => route.fulfill({ status: 409, json }))
  await page.goto(`/projects/${id}`)
  await page.getByRole('region', { name: 'Last 24 hours' }).getByText('No figures here').waitFor()
  await page.getByRole('link', { name: 'Commit 7 <b>' }).waitFor()
  await page.getByText('No uptime checks.').waitFor()
  await page.unroute(/\/traffic\?/)
  await pages.panel.deps.db.delete(trafficPoints).where(eq(trafficPoints.projectId, id))
  await page.reload()
  await page.getByText('No requests in the last 24 hours.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

test('a new project shows the first steps', async () => {
  const { id } = await ann.createProject()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}`)
  await page.getByText('No deployments yet.').waitFor()
  await page.getByRole('link', { name: 'Connect a repository' }).waitFor()
  expect(await page.getByRole('link', { name: 'Open site' }).count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Last 24 hours' }).count()).toBe(0)
  expect(complaints).toEqual([])
})
