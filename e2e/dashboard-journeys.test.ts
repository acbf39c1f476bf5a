import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CertificateEnvironment, startCertificateEnvironment } from './support/certificate-environment.ts'
import { openPage, startChromium, type WatchedPage } from './support/chromium.ts'
import { dig, nameservers } from './support/dns-environment.ts'
import { type GitHttpServer, startGitHttpServer } from './support/git-server.ts'
import { nodeSite } from './support/sites.ts'

const password = 'correct horse battery'
const patience = { timeout: 240_000 }

let git: GitHttpServer
let environment: CertificateEnvironment
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

const signIn = async (page: Page, email: string, secret = password) => {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}
const tab = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: /^Sections of/ })
    .getByRole('link', { name, exact: true })
    .click()
const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
const visit = async (hostname: string) => (await environment.panel.visit(hostname)).body

describe('an administrator: from an empty server to a site with a certificate', () => {
  const hostname = 'shop.journey.test'
  let project: string

  test('the set-up leads to the first project, whose log is followed until the site is open', async () => {
    const { page } = ada
    await git.createRepository('acme/shop', nodeSite('the first shop'))
    await page.getByRole('button', { name: 'Open: First project' }).click()
    await page.getByRole('link', { name: 'New project' }).click()
    await page.getByLabel('Git URL').fill(git.url('acme/shop'))
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.waitForURL('**/deployments?d=*')
    project = /projects\/([^/]+)/.exec(page.url())![1]!
    await page.getByRole('region', { name: 'Deployment log' }).getByText('Step 1/').first().waitFor(patience)
    await page.getByText('Live', { exact: true }).first().waitFor(patience)
    const host = await page.getByRole('link', { name: /^shop\./ }).innerText()
    await expect.poll(() => visit(host.trim())).toContain('the first shop')
  })

  test('a domain is proved, its zone taken over, and led to the project', async () => {
    const { page } = ada
    await go(page, 'Domains')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByLabel('Host name').fill(hostname)
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    const value = page.locator('code', { hasText: /^panel-/ })
    await value.waitFor()
    environment.dns.set(`_panel-challenge.${hostname}`, 'TXT', [await value.innerText()])
    environment.dns.set(hostname, 'A', ['127.0.0.1'])
    environment.dns.set(hostname, 'NS', nameservers)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('Active', { exact: true }).first().waitFor()
    await tab(page, 'DNS')
    await page.getByRole('button', { name: 'Manage here' }).click()
    await page.getByRole('button', { name: 'Manage elsewhere' }).waitFor()
    await page.goto(`/projects/${project}/domains`)
    await page.getByRole('combobox', { name: 'Domain' }).selectOption({ label: hostname })
    await page.getByRole('button', { name: 'Point it here' }).click()
    await expect.poll(() => visit(hostname)).toContain('the first shop')
  })

  test('a record is added, and the name server answers with it', async () => {
    const { page } = ada
    await go(page, 'Domains')
    await page.getByRole('link', { name: hostname }).click()
    await tab(page, 'DNS')
    const form = page.getByRole('form', { name: 'Add record' })
    await form.getByLabel('Name').fill('status')
    await form.getByLabel('Value').fill('203.0.113.9')
    await form.getByRole('button', { name: 'Add record' }).click()
    await expect
      .poll(async () => (await dig(environment.panel, `status.${hostname}`, 'A')).values)
      .toEqual(['203.0.113.9'])
  })

  test('a certificate is ordered, and a browser that knows the authority takes it', async () => {
    const { page } = ada
    await tab(page, 'Certificate')
    // It may have been ordered by itself.
    const order = page.getByRole('button', { name: 'Order a certificate' })
    await page
      .getByText(/Being issued|days left/)
      .or(order)
      .first()
      .waitFor(patience)
    if (await order.isVisible()) await order.click()
    await page.getByText(/\d days left/).waitFor(patience)
    await expect.poll(async () => (await environment.shakeHands(hostname)).isTrusted).toBe(true)
    expect((await environment.panel.visit(hostname)).status).toBe(301)
  })

  test('a file is written in the browser, and a database made', async () => {
    const { page } = ada
    await page.goto(`/projects/${project}/files`)
    await page.getByRole('button', { name: 'New file' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('motd.txt')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const editor = page.getByRole('textbox', { name: 'motd.txt', exact: true })
    await editor.waitFor()
    await editor.click()
    await page.keyboard.type('Open on Sunday')
    await page.keyboard.press('Control+s')
    await page.getByText('motd.txt is saved').waitFor()
    const read = await ada.page.request.get(`/api/files/${project}/read?path=motd.txt`)
    expect(await read.json()).toMatchObject({ content: 'Open on Sunday' })
    await go(page, 'Databases')
    await page.getByRole('button', { name: 'Add database' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Add database' }).click()
    await page.getByRole('heading', { name: 'shop' }).waitFor()
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.getByRole('status').filter({ hasText: 'It answers' }).waitFor()
  })

  test('a release that nobody wanted is rolled back, and a second browser sees it', async () => {
    const { page } = ada
    const other = await openPage(browser, environment.panel.url)
    await signIn(other.page, 'ada@example.com')
    await other.page.goto(`/projects/${project}/deployments`)
    await git.commit('acme/shop', nodeSite('the second shop'), 'Change the words')
    await page.goto(`/projects/${project}/deployments`)
    const build = await page.request.post(`/api/projects/${project}/build`)
    expect(build.status()).toBe(202)
    const host = (await page.getByRole('link', { name: /^shop\..*apps/ }).innerText()).trim()
    await expect.poll(() => visit(host), patience).toContain('the second shop')
    const history = (at: Page) => at.getByRole('navigation', { name: 'Deployment history' }).getByRole('listitem')
    await expect.poll(() => history(other.page).count()).toBe(2)
    await history(page).nth(1).getByRole('link').click()
    await page.getByRole('button', { name: 'Roll back to this' }).click()
    await expect.poll(() => visit(host), patience).toContain('the first shop')
    await expect.poll(() => history(other.page).count()).toBe(3)
    await other.context.close()
  })

  test('signing out ends it', async () => {
    const { page } = ada
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/login')
    await page.goto(`/projects/${project}`)
    await page.waitForURL('**/login?next=*')
    expect(ada.complaints).toEqual([])
  })
})

describe('a reseller and the customer', () => {
  const studio = { name: 'Studio Nord', email: 'studio@example.com' }
  const bakery = { name: 'Bakery', email: 'bakery@example.com' }

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

  test('the customer opens a site, comes to the limit, and is suspended under the open page', async () => {
    const customer = await openPage(browser, environment.panel.url)
    const { page } = customer
    await signIn(page, bakery.email)
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).count()).toBe(0)
    await git.createRepository('bakery/site', nodeSite('fresh bread'))
    await page.goto('/projects/new')
    await page.getByLabel('Git URL').fill(git.url('bakery/site'))
    await page.getByRole('button', { name: 'Look at it' }).click()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByText('Live', { exact: true }).first().waitFor(patience)
    const host = (await page.getByRole('link', { name: /^site\./ }).innerText()).trim()
    await expect.poll(() => visit(host)).toContain('fresh bread')
    await page.goto('/projects/new?from=empty')
    await page.getByLabel('Name').fill('second')
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.goto('/server/users')
    await page.getByText('You have no access to this').waitFor()
    await page.goto('/projects')

    const reseller = await openPage(browser, environment.panel.url)
    await signIn(reseller.page, studio.email)
    await go(reseller.page, 'Customers')
    await reseller.page.getByRole('link', { name: bakery.name }).click()
    await reseller.page.getByRole('button', { name: 'Suspend' }).click()
    await reseller.page.getByText('This account is suspended').waitFor()
    await expect.poll(async () => (await environment.panel.visit(host)).status, patience).toBeGreaterThanOrEqual(400)
    await page.reload()
    await page
      .getByRole('dialog')
      .or(page.getByRole('heading', { name: 'Sign in' }))
      .first()
      .waitFor()
    expect([...customer.complaints, ...reseller.complaints]).toEqual([])
  })
})
