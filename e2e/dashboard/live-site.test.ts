import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityProblems, openPage, startChromium, type WatchedPage } from '../support/chromium.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { type RunningPanel, startPanel } from '../support/panel.ts'
import { nodeSite } from '../support/sites.ts'

const password = 'correct horse battery'
const timeoutMs = { timeout: 240_000 }

let git: GitHttpServer
let panel: RunningPanel
let browser: Browser
let first: WatchedPage
beforeAll(async () => {
  git = await startGitHttpServer()
  panel = await startPanel({ GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` })
  browser = await startChromium()
  first = await openPage(browser, panel.url)
})
afterAll(async () => {
  await browser?.close()
  await panel?.dispose()
  await git?.stop()
})

test('an account is created, with errors at their fields', async () => {
  const { page } = first
  await page.goto('/projects')
  await page.waitForURL('**/login?next=%2Fprojects')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill('another')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Does not match the password').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Set up your server' }).waitFor()
  await page.getByRole('button', { name: 'Go to overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByText('No deployments yet').waitFor()
})

test('a project is deployed from Git with a visible log, and its site opens', async () => {
  const { page } = first
  await git.createRepository('acme/shop', nodeSite('hello from the shop'))
  await page.getByRole('link', { name: 'New project' }).click()
  await page.getByLabel('Repository URL').fill(git.url('acme/shop'))
  await page.getByRole('button', { name: 'Inspect repository' }).click()
  await page.getByLabel('Name').waitFor()
  expect(await page.getByLabel('Branch').inputValue()).toBe('main')
  expect(await page.getByLabel('Name').inputValue()).toBe('shop')
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.waitForURL('**/deployments?d=*')
  const log = page.getByRole('region', { name: 'Deployment log' })
  await log.getByText('Step 1/').first().waitFor(timeoutMs)
  await page.getByText('Live', { exact: true }).first().waitFor(timeoutMs)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Search log').fill('Step 1/')
  await page.getByText('1 of').waitFor()
  const host = await page.getByRole('link', { name: /^shop\./ }).innerText()
  await expect.poll(async () => (await panel.visit(host.trim())).body).toContain('hello from the shop')
})

test('two browsers see each other’s changes', async () => {
  const { page } = await openPage(browser, panel.url)
  await page.goto('/login')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Projects', exact: true }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  await page.getByRole('link', { name: 'shop', exact: true }).click()
  await page.getByRole('link', { name: 'Deployments', exact: true }).click()
  await page.getByText('Live', { exact: true }).first().waitFor()
  await first.page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Deployment history' }).getByRole('listitem').count(), timeoutMs)
    .toBe(2)
})

test('a domain is added, with the records to set', async () => {
  const { page } = first
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }).click()
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.getByLabel('Hostname').fill('not a name')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await expect
    .poll(() => page.getByRole('dialog').getByRole('alert').or(page.locator('[aria-invalid=true]')).count())
    .toBeGreaterThan(0)
  await page.getByLabel('Hostname').fill('shop.example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByText('_panel-challenge.shop.example.com', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

test('form values survive the end of the session', async () => {
  const { page, context } = first
  await page.goto('/projects/new?from=empty')
  await page.getByLabel('Name').fill('second')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Create project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel('Password for ada@example.com').fill('wrong password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Password for ada@example.com').fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'second' }).waitFor()
})

test('dark theme, German and phone layouts are accessible without overflow', async () => {
  const { page } = first
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.setViewportSize({ width: 360, height: 740 })
  for (const path of ['/projects', '/projects/new', '/domains']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await accessibilityProblems(page), path).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360)
  }
  await page.getByRole('heading', { name: 'Domains' }).waitFor()
})

test('signing out leaves no data', async () => {
  const { page } = first
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Kontomenü' }).click()
  await page.getByRole('menuitem', { name: 'Abmelden' }).click()
  await page.waitForURL('**/login')
  await page.goto('/projects')
  await page.waitForURL('**/login?next=%2Fprojects')
})

test('the browser reported no errors', () => expect(first.complaints).toEqual([]))
