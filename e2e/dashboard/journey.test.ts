import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, openPage, startChromium, type WatchedPage } from '../support/chromium.ts'
import { createJourney, history, password, signIn, signOut, type Site } from '../support/journey.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

const word = randomBytes(3).toString('hex')
const email = `ada-${word}@example.com`
const hostname = `shop-${word}.test`
let world: World
let journey: ReturnType<typeof createJourney>
let browser: Browser
let ada: WatchedPage
beforeAll(async () => {
  world = await sharedWorld()
  browser = await startChromium()
  journey = createJourney(world, world.git)
  ada = await openPage(browser, world.panel.url)
  await register(ada.page)
})
afterAll(() => browser?.close())

async function register(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

// Polled, because a message that fades in has too little contrast for a moment.
afterEach(() => expect.poll(() => accessibilityProblems(ada.page)).toEqual([]))

describe('from a new account to a site with a certificate', () => {
  let site: Site

  test('creates the first project from the overview and follows its log', async () => {
    const { page } = ada
    await page.getByRole('link', { name: 'New project' }).click()
    site = await journey.deploy(page, `acme/shop-${word}`, 'the first shop')
  })

  test('a domain is verified, its zone managed here and pointed at the project', () =>
    journey.addDomain(ada.page, site, hostname, 'the first shop'))

  test('a record is added and served', () => journey.addRecord(ada.page, hostname))

  test('a certificate is ordered and trusted by a browser', () => journey.orderCertificate(ada.page, hostname))

  test('a file is edited and a database created', async () => {
    await journey.writeFile(ada.page, site, 'Open on Sunday')
    await journey.addDatabase(ada.page, `shop_${word}`)
  })

  test('a bad release is rolled back, seen by a second browser', async () => {
    const other = await openPage(browser, world.panel.url)
    await signIn(other.page, email)
    await other.page.goto(`/projects/${site.project}/deployments`)
    await expect.poll(() => history(other.page).count()).toBe(1)
    await journey.rollBack(ada.page, site, 'the first shop')
    await expect.poll(() => history(other.page).count()).toBe(3)
    await other.context.close()
  })

  test('signing out ends the session', async () => {
    await signOut(ada.page, `/projects/${site.project}`)
    expect(ada.complaints).toEqual([])
  })
})
