import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

const formula = '=HYPERLINK("http://evil.example","\u202e<img src=x onerror=alert(1)>")'

let pages: Pages
let admin: Client
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  admin = await pages.panel.signUp('ada')
  ann = await pages.panel.signUp('ann')
  await ann.createProject()
  await ann.request('PATCH', `/api/users/${ann.user.id}`, { name: '<img src=x onerror=alert(1)>\u202e' })
  const payload = { email: ann.user.email, password: 'not the one' }
  const headers = { 'user-agent': formula.replaceAll(/[^ -~]/g, '') }
  await pages.panel.app.inject({ method: 'POST', url: '/api/auth/login', payload, headers })
})
afterAll(() => pages?.close())

test('entries are filtered by action, account and time, opened and linked', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/audit')
  await page.getByRole('link', { name: 'Project created' }).waitFor()
  const rows = () => page.locator('tbody tr').count()
  const all = await rows()
  await page.getByLabel('Action').selectOption('auth.login_failed')
  await expect.poll(rows).toBe(1)
  await page.getByRole('link', { name: 'Sign-in failed' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('=HYPERLINK').waitFor()
  await drawer.getByText('INVALID_CREDENTIALS').waitFor()
  await page.reload()
  await drawer.getByText('=HYPERLINK').waitFor()
  await drawer.getByRole('link', { name: 'View entries for this target' }).click()
  await expect.poll(() => page.getByLabel('Target').inputValue()).toBe(ann.user.email)
  await page.getByRole('link', { name: 'Project created' }).waitFor({ state: 'detached' })
  await page.goto('/server/audit')
  await page.getByLabel('Actor').fill('nobody@example.com')
  await page.getByLabel('Actor').press('Enter')
  await page.getByText('Account not found').waitFor()
  await page.getByLabel('Actor').fill(ann.user.email)
  await page.getByLabel('Actor').press('Enter')
  await expect.poll(() => page.url()).toContain(`actor=${ann.user.id}`)
  await expect.poll(rows).toBeLessThan(all)
  await page.getByRole('link', { name: 'Account changed' }).click()
  await drawer.getByText('\\u202e').waitFor()
  expect(await drawer.locator('img').count()).toBe(0)
  await page.goto('/server/audit?from=2999-01-01T00:00:00.000Z')
  await page.getByText('No results', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('each entry is a sentence with links to actor and target', async () => {
  const { page, complaints } = await pages.open(admin)
  const own = await admin.createProject()
  await page.goto('/server/audit')
  const options = page.getByLabel('Action').locator('optgroup[label=Projects] option')
  await expect.poll(() => options.allTextContents()).toContain('Variable shown')
  const row = page.getByRole('row').filter({ hasText: own.name })
  await row.getByRole('link', { name: admin.user.email }).click()
  await page.waitForURL(`**/server/users/${admin.user.id}`)
  await page.goBack()
  await row.getByRole('link', { name: own.name }).click()
  await page.waitForURL(`**/projects/${own.id}`)
  await page.goBack()
  await page
    .getByRole('row')
    .filter({ hasText: ann.user.email })
    .getByRole('link', { name: /^project-/ })
    .click()
  await page.waitForURL('**/server/audit?target=*')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await page.getByRole('link', { name: 'Project created' }).click()
  await page.getByRole('dialog', { name: 'Project created' }).getByText('project.created', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('verifies the chain and shows where a manipulation breaks it', async () => {
  const { page } = await pages.open(admin)
  await page.goto('/server/audit')
  await page.getByText('Audit log verified').waitFor()
  await pages.panel.deps.db.execute(sql`update audit_log set ip = '192.0.2.99' where id = 2`)
  await page.reload()
  await page.getByText('Entry 2 does not match the entry before it').waitFor()
  await page.getByRole('button', { name: 'Verify all entries' }).click()
  await page.getByText('Entry 2 does not match the entry before it').waitFor()
})
