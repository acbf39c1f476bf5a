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

const failed = { status: 500, json: { error: 'Internal error', code: 'INTERNAL' } }

test('what could not be asked for again stays, with a notice and another try', async () => {
  await ada.createProject({ name: 'still-here' })
  const { page } = await pages.open(ada)
  await page.goto('/projects')
  const project = page.getByRole('link', { name: 'still-here' })
  await project.waitFor()
  await page.route(/\/api\/projects\?/, (route) => route.fulfill(failed))
  await ada.createProject({ name: 'made-meanwhile' })
  const notice = page.getByRole('status').filter({ hasText: 'This page may be out of date' })
  await notice.getByText('Internal error').waitFor()
  expect(await project.isVisible()).toBe(true)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.unroute(/\/api\/projects\?/)
  await notice.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'made-meanwhile' }).waitFor()
  await expect.poll(() => notice.count()).toBe(0)
})

test('what changes between the first question and the connection is seen', async () => {
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

test('an error says what the server says, its code and another try', async () => {
  const { page } = await pages.open(ada)
  await page.route(/\/api\/domains\?/, (route) => route.fulfill(failed))
  await page.goto('/domains')
  const error = page.getByRole('alert').filter({ hasText: 'Internal error' })
  await error.getByText('INTERNAL', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.unroute(/\/api\/domains\?/)
  await error.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => error.count()).toBe(0)
})

test('what is gone is said to be, with the way back to where one came from', async () => {
  const { id } = await ada.createProject()
  const { page } = await pages.open(ada)
  await page.goto('/projects/gone')
  await page.getByText('It was deleted, or belongs to another account.').waitFor()
  await expect.poll(() => page.title()).toBe('Page not found · Panel')
  await page.getByRole('link', { name: 'Back to Overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto('/no/such/page')
  await expect.poll(() => page.title()).toBe('Page not found · Panel')
  // In a part of a page, from another one.
  await page.goto(`/projects/${id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goto(`/projects/${id}/deployments?d=gone`)
  await page.getByText('It was deleted, or belongs to another account.').waitFor()
})

test('a page that is for others says so, in its title too', async () => {
  const { page } = await pages.open(ann)
  await page.goto('/server/audit')
  await page.getByRole('heading', { level: 1, name: 'You do not have access' }).waitFor()
  await expect.poll(() => page.title()).toBe('You do not have access · Panel')
})

test('a search that finds nothing is named, and cleared with all filters', async () => {
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

test('what takes long says that it is still on its way', async () => {
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
