import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, startChromium, type WatchedPage } from '../support/chromium.ts'
import { createJourney, go, password, signIn, type Site, timeoutMs } from '../support/journey.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

const word = randomBytes(3).toString('hex')
const studio = { name: `Studio ${word}`, email: `studio-${word}@example.com` }
const bakery = { name: `Bakery ${word}`, email: `bakery-${word}@example.com` }

let world: World
let browser: Browser
let adminEmail: string
let customer: WatchedPage
let site: Site
beforeAll(async () => {
  world = await sharedWorld()
  browser = await startChromium()
  const admin = await world.panel.signUp()
  adminEmail = (await admin.call<{ email: string }>('GET', '/auth/me')).email
  await world.panel.query(`update users set role = 'ADMIN' where email = $1`, [adminEmail])
})
afterAll(() => browser?.close())

async function addAccount(
  page: Page,
  button: string,
  { name, email }: typeof studio,
  more: (dialog: ReturnType<Page['getByRole']>) => Promise<unknown>
): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Email address').fill(email)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await more(dialog)
  await dialog.getByRole('button', { name: button }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

test('an administrator creates a reseller, who creates a customer with one project', async () => {
  const admin = await openPage(browser, world.panel.url)
  await signIn(admin.page, adminEmail)
  await go(admin.page, 'Users')
  await addAccount(admin.page, 'Add user', studio, (dialog) => dialog.getByLabel('Role').selectOption('RESELLER'))
  const quotas = admin.page.getByRole('form', { name: 'Quotas' })
  await quotas.getByLabel('Sub-accounts').fill('3')
  await quotas.getByRole('button', { name: 'Save' }).click()
  await admin.page.getByText('Saved', { exact: true }).waitFor()
  const reseller = await openPage(browser, world.panel.url)
  await signIn(reseller.page, studio.email)
  await go(reseller.page, 'Customers')
  await addAccount(reseller.page, 'Add customer', bakery, (dialog) => dialog.getByLabel('Projects').fill('1'))
  expect([...admin.complaints, ...reseller.complaints]).toEqual([])
  for (const { context } of [admin, reseller]) await context.close()
})

test('the customer deploys a site, sees no server pages and reaches its quota', async () => {
  customer = await openPage(browser, world.panel.url)
  const { page } = customer
  await signIn(page, bakery.email)
  expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).count()).toBe(0)
  await page.goto('/projects/new')
  site = await createJourney(world, world.git).deploy(page, `bakery/site-${word}`, 'fresh bread')
  await page.goto('/server/users')
  await page.getByText('You do not have access').waitFor()
  await page.goto('/projects/new?from=empty')
  await page.getByLabel('Name').fill('second')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('alert').first().waitFor()
})

test('it is suspended while a page is open: its site is not served, and the page asks to sign in', async () => {
  const { page } = customer
  await page.goto('/projects')
  await page.getByRole('link', { name: `site-${word}`, exact: true }).waitFor()
  const reseller = await openPage(browser, world.panel.url)
  await signIn(reseller.page, studio.email)
  await go(reseller.page, 'Customers')
  await reseller.page.getByRole('link', { name: bakery.name }).click()
  await reseller.page.getByRole('button', { name: 'Suspend' }).click()
  await reseller.page.getByText('This account is suspended').waitFor()
  const status = async () => (await world.panel.visit(site.host)).status
  await expect.poll(status, timeoutMs).toBeGreaterThanOrEqual(400)
  await page.reload()
  await page
    .getByRole('dialog')
    .or(page.getByRole('heading', { name: 'Sign in' }))
    .first()
    .waitFor()
  expect([...customer.complaints, ...reseller.complaints]).toEqual([])
})
