import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CertificateEnvironment, startCertificateEnvironment } from '../support/certificate-environment.ts'
import { openPage, startChromium, type WatchedPage } from '../support/chromium.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import { createJourney, go, history, password, timeoutMs, signIn, signOut, type Site } from '../support/journey.ts'

let git: GitHttpServer
let environment: CertificateEnvironment
let journey: ReturnType<typeof createJourney>
let browser: Browser
let ada: WatchedPage

beforeAll(async () => {
  git = await startGitHttpServer()
  browser = await startChromium()
  environment = await startCertificateEnvironment({
    env: { GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` },
    beforeAnn: async ({ url }) => {
      ada = await openPage(browser, url)
      await register(ada.page)
    }
  })
  journey = createJourney(environment, git)
})
afterAll(async () => {
  await browser?.close()
  await environment?.close()
  await git?.stop()
})

async function register(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password, once more').fill(password)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.waitForURL('**/welcome')
}

describe('an administrator: from an empty server to a site with a certificate', () => {
  const hostname = 'shop.journey.test'
  let site: Site

  test('the set-up leads to the first project, whose log is followed until the site is open', async () => {
    const { page } = ada
    await page.getByRole('button', { name: 'Open: First project' }).click()
    await page.getByRole('link', { name: 'New project' }).click()
    site = await journey.deploy(page, 'acme/shop', 'the first shop')
  })

  test('a domain is proved, its zone taken over, and led to the project', () =>
    journey.addDomain(ada.page, site, hostname, 'the first shop'))

  test('a record is added, and the name server answers with it', () => journey.addRecord(ada.page, hostname))

  test('a certificate is ordered, and a browser that knows the authority takes it', () =>
    journey.orderCertificate(ada.page, hostname))

  test('a file is written in the browser, and a database made', async () => {
    await journey.writeFile(ada.page, site, 'Open on Sunday')
    await journey.addDatabase(ada.page, 'shop')
  })

  test('a release that nobody wanted is rolled back, and a second browser sees it', async () => {
    const other = await openPage(browser, environment.panel.url)
    await signIn(other.page, 'ada@example.com')
    await other.page.goto(`/projects/${site.project}/deployments`)
    await expect.poll(() => history(other.page).count()).toBe(1)
    await journey.rollBack(ada.page, site, 'the first shop')
    await expect.poll(() => history(other.page).count()).toBe(3)
    await other.context.close()
  })

  test('signing out ends it', async () => {
    await signOut(ada.page, `/projects/${site.project}`)
    expect(ada.complaints).toEqual([])
  })
})

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
    await dialog.getByLabel('E-mail address').fill(email)
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
    await more?.()
    await dialog.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }

  test('an administrator makes a reseller, who makes a customer with a quota of one project', async () => {
    const admin = await openPage(browser, environment.panel.url)
    await signIn(admin.page, 'ada@example.com')
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

  test('the customer opens a site, and is shown nothing of the server', async () => {
    customer = await openPage(browser, environment.panel.url)
    const { page } = customer
    await signIn(page, bakery.email)
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).count()).toBe(0)
    await page.goto('/projects/new')
    site = await journey.deploy(page, 'bakery/site', 'fresh bread')
    await page.goto('/server/users')
    await page.getByText('You have no access to this').waitFor()
  })

  test('it has a domain, a record, a certificate, a file and a database of its own', async () => {
    const { page } = customer
    const hostname = 'bakery.journey.test'
    await journey.addDomain(page, site, hostname, 'fresh bread')
    await journey.addRecord(page, hostname)
    await journey.orderCertificate(page, hostname)
    await journey.writeFile(page, site, 'Closed on Monday')
    await journey.addDatabase(page, 'bakery')
  })

  test('it rolls a release back, and signs out', async () => {
    await journey.rollBack(customer.page, site, 'fresh bread')
    await signOut(customer.page, `/projects/${site.project}`)
  })

  test('it comes to the limit, and is suspended under the open page', async () => {
    const { page } = customer
    await signIn(page, bakery.email)
    await page.goto('/projects/new?from=empty')
    await page.getByLabel('Name').fill('second')
    await page.getByRole('button', { name: 'Create the project' }).click()
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
