import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ada: Client
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  ada = await pages.panel.signUp('ada')
  ann = await pages.panel.createUser(ada, { name: 'Ann' })
})
afterAll(() => pages?.close())

const failed = { status: 500, json: { error: 'Something went wrong on our side', code: 'INTERNAL' } }

test('outdated data stays visible with a notice and a retry', async () => {
  await ada.createProject({ name: 'still-here' })
  const { page } = await pages.open(ada)
  await page.goto('/projects')
  const project = page.getByRole('link', { name: 'still-here' })
  await project.waitFor()
  await page.route(/\/api\/projects\?/, (route) => route.fulfill(failed))
  await ada.createProject({ name: 'made-meanwhile' })
  const notice = page.getByRole('status').filter({ hasText: 'This data may be outdated' })
  await notice.getByText('Something went wrong on our side').waitFor()
  expect(await project.isVisible()).toBe(true)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.unroute(/\/api\/projects\?/)
  await notice.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'made-meanwhile' }).waitFor()
  await expect.poll(() => notice.count()).toBe(0)
})

test('changes between first load and live connection are shown', async () => {
  const { page } = await pages.open(ada)
  let connect = () => {}
  const connecting = new Promise<void>((resolve) => (connect = resolve))
  await page.routeWebSocket(/\/socket\.io\//, async (socket) => {
    await connecting
    socket.connectToServer()
  })
  await page.goto('/projects')
  await page.getByRole('link', { name: 'still-here' }).waitFor()
  await ada.createProject({ name: 'made-before-the-channel' })
  expect(await page.getByRole('link', { name: 'made-before-the-channel' }).count()).toBe(0)
  connect()
  await page.getByRole('link', { name: 'made-before-the-channel' }).waitFor()
})

test('an error shows the server message, its code and a retry', async () => {
  const { page } = await pages.open(ada)
  await page.route(/\/api\/domains\?/, (route) => route.fulfill(failed))
  await page.goto('/domains')
  const error = page.getByRole('alert').filter({ hasText: 'Something went wrong on our side' })
  await error.getByText('INTERNAL', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.unroute(/\/api\/domains\?/)
  await error.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => error.count()).toBe(0)
})

test('a missing page links back to where the user came from', async () => {
  const { id } = await ada.createProject()
  const { page } = await pages.open(ada)
  await page.goto('/projects/gone')
  await page.getByText('It was deleted, or you do not have access to it.').waitFor()
  await expect.poll(() => page.title()).toBe('Not found · Panel')
  await page.getByRole('link', { name: 'Back to the overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  for (const path of ['/no/such/page', `/projects/${id}/no-such-tab`]) {
    await page.goto(path)
    await expect.poll(() => page.title()).toBe('Not found · Panel')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects', exact: true }).waitFor()
  }
  await page.goto(`/projects/${id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goto(`/projects/${id}/deployments?d=gone`)
  await page.getByText('It was deleted, or you do not have access to it.').waitFor()
})

test('a page without access says so, also in its title', async () => {
  const { page } = await pages.open(ann)
  await page.goto('/server/audit')
  await page.getByRole('heading', { level: 1, name: 'You do not have access' }).waitFor()
  await expect.poll(() => page.title()).toBe('You do not have access · Panel')
})

test('an empty search names its filters and can be cleared', async () => {
  const { page } = await pages.open(ada)
  for (const [path, named] of [
    ['/projects?q=nothing-has-this&state=attention', '“nothing-has-this” · Needs attention'],
    ['/domains?q=nothing-has-this&status=ACTIVE', '“nothing-has-this” · Active'],
    ['/server/users?q=nothing-has-this&role=RESELLER', '“nothing-has-this” · Reseller'],
    ['/server/settings?q=nothing-has-this', '“nothing-has-this” · '],
    ['/mail/queue?q=nothing-has-this', '“nothing-has-this”'],
    ['/mail/log?q=nothing.example', '“nothing.example”']
  ] as const) {
    await page.goto(path)
    await page.getByText('No results', { exact: true }).waitFor()
    expect(await page.locator('main').innerText(), path).toContain(named)
  }
  await page.goto('/projects?q=nothing-has-this')
  const box = page.getByRole('textbox', { name: 'Search projects' })
  expect(await box.inputValue()).toBe('nothing-has-this')
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'still-here' }).waitFor()
  expect(await box.inputValue()).toBe('')
  expect(new URL(page.url()).search).toBe('')
  await box.fill('still')
  await page.waitForURL('**/projects?q=still')
  expect(await box.inputValue()).toBe('still')
})

test('slow loading is announced', async () => {
  const { page } = await pages.open(ada)
  const answers: (() => void)[] = []
  await page.route(/\/api\/domains\?/, async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    await route.continue()
  })
  await page.goto('/domains')
  await page.getByText('Still loading').waitFor()
  for (const answer of answers) answer()
  await expect.poll(() => page.getByText('Still loading').count()).toBe(0)
})
