import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CertificateEnvironment, startCertificateEnvironment } from '../support/certificate-environment.ts'
import { openPage, startChromium, type WatchedPage } from '../support/chromium.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { createJourney, go, password, signIn, signOut, type Site, timeoutMs } from '../support/journey.ts'

let git: GitHttpServer
let environment: CertificateEnvironment
let journey: ReturnType<typeof createJourney>
let browser: Browser

beforeAll(async () => {
  git = await startGitHttpServer()
  browser = await startChromium()
  environment = await startCertificateEnvironment({ env: { GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` } })
  adminEmail = (await environment.ann.call<{ email: string }>('GET', '/auth/me')).email
  journey = createJourney(environment, git)
})
afterAll(async () => {
  await browser?.close()
  await environment?.close()
  await git?.stop()
})

let adminEmail: string

describe('a reseller and the customer', () => {
  const studio = { name: 'Studio Nord', email: 'studio@example.com' }
  const bakery = { name: 'Bakery', email: 'bakery@example.com' }
  let customer: WatchedPage
  let site: Site

  const addAccount = async (
    page: Page,
    button: string,
    { name, email }: typeof studio,
    more?: () => Promise<unknown>
  ) => {
    await page.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Email address').fill(email)
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
    await more?.()
    await dialog.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }

  test('an administrator creates a reseller, who creates a customer with one project', async () => {
    const admin = await openPage(browser, environment.panel.url)
    await signIn(admin.page, adminEmail)
    await go(admin.page, 'Users')
    await addAccount(admin.page, 'Add user', studio, async () => {
      await admin.page.getByRole('dialog').getByLabel('Role').selectOption('RESELLER')
    })
    const quotas = admin.page.getByRole('form', { name: 'Quotas' })
    await quotas.getByLabel('Sub-accounts').fill('3')
    await quotas.getByRole('button', { name: 'Save' }).click()
    await admin.page.getByText('Saved', { exact: true }).waitFor()
    const reseller = await openPage(browser, environment.panel.url)
    await signIn(reseller.page, studio.email)
    await go(reseller.page, 'Customers')
    await addAccount(reseller.page, 'Add customer', bakery, () =>
      reseller.page.getByRole('dialog').getByLabel('Projects').fill('1')
    )
    expect([...admin.complaints, ...reseller.complaints]).toEqual([])
  })

  test('the customer deploys a site and sees no server pages', async () => {
    customer = await openPage(browser, environment.panel.url)
    const { page } = customer
    await signIn(page, bakery.email)
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).count()).toBe(0)
    await page.goto('/projects/new')
    site = await journey.deploy(page, 'bakery/site', 'fresh bread')
    await page.goto('/server/users')
    await page.getByText('You do not have access').waitFor()
  })

  test('it gets a domain, a record, a certificate, a file and a database', async () => {
    const { page } = customer
    const hostname = 'bakery.journey.test'
    await journey.addDomain(page, site, hostname, 'fresh bread')
    await journey.addRecord(page, hostname)
    await journey.orderCertificate(page, hostname)
    await journey.writeFile(page, site, 'Closed on Monday')
    await journey.addDatabase(page, 'bakery')
  })

  test('it rolls back a release and signs out', async () => {
    await journey.rollBack(customer.page, site, 'fresh bread')
    await signOut(customer.page, `/projects/${site.project}`)
  })

  test('it reaches its quota and is suspended while a page is open', async () => {
    const { page } = customer
    await signIn(page, bakery.email)
    await page.goto('/projects/new?from=empty')
    await page.getByLabel('Name').fill('second')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.goto('/projects')
    await page.getByRole('link', { name: 'site', exact: true }).waitFor()

    const reseller = await openPage(browser, environment.panel.url)
    await signIn(reseller.page, studio.email)
    await go(reseller.page, 'Customers')
    await reseller.page.getByRole('link', { name: bakery.name }).click()
    await reseller.page.getByRole('button', { name: 'Suspend' }).click()
    await reseller.page.getByText('This account is suspended').waitFor()
    const status = async () => (await environment.panel.visit(site.host)).status
    await expect.poll(status, timeoutMs).toBeGreaterThanOrEqual(400)
    await page.reload()
    await page
      .getByRole('dialog')
      .or(page.getByRole('heading', { name: 'Sign in' }))
      .first()
      .waitFor()
    expect([...customer.complaints, ...reseller.complaints]).toEqual([])
  })
})
