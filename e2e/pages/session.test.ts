import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ada: Client
let bob: Client
beforeAll(async () => {
  pages = await startPages()
  ada = await pages.panel.signUp('ada')
  bob = await pages.panel.signUp('bob')
})
afterAll(() => pages?.close())

/** By the same account, from elsewhere. */
const endOthers = async (email: string) => (await pages.panel.signIn(email)).request('DELETE', '/api/auth/sessions')

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel(/^Password of/).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => dialog.count()).toBe(0)
}

const useCookieOf = async (context: BrowserContext, { cookie }: Client) => {
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url: pages.url, httpOnly: true, sameSite: 'Lax' }])
}
/** As the browser tells a page that it is looked at again. */
const lookAt = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)

test('a session that ends on the server takes nothing of what was typed, on a page and in a dialog', async () => {
  const { page, complaints } = await pages.open(await pages.panel.signIn(ada.user.email))
  await page.goto('/account/profile')
  await page.getByLabel('Name').fill('Ada the typed')
  await endOthers(ada.user.email)
  await lookAt(page)
  await signInAgain(page)
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada the typed')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Account menu' }).innerText()).toContain('Ada the typed')

  await page.goto('/server/users')
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add user' })
  await dialog.getByLabel('Name').fill('Carl the typed')
  await endOthers(ada.user.email)
  await lookAt(page)
  await signInAgain(page)
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Carl the typed')
  expect(complaints).toEqual([])
})

test('who does not sign in again is led to the sign-in, and from there back', async () => {
  const { page } = await pages.open(await pages.panel.signIn(bob.user.email))
  await page.goto('/domains?q=shop')
  await page.getByRole('heading', { name: 'Domains' }).waitFor()
  await endOthers(bob.user.email)
  await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Close' }).click()
  await page.waitForURL('**/login?next=%2Fdomains%3Fq%3Dshop')
  await page.getByLabel('E-mail').fill(bob.user.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/domains?q=shop')
})

test('a tab of which the account has changed in another one begins anew, with nothing of the former', async () => {
  await (await pages.panel.signIn(bob.user.email)).createProject({ name: 'bobs-own' })
  const { page, context } = await pages.open(await pages.panel.signIn(bob.user.email))
  await page.goto('/projects')
  await page.getByRole('link', { name: 'bobs-own' }).waitFor()
  // In another tab bob signs out, and ada in.
  await useCookieOf(context, await pages.panel.signIn(ada.user.email))
  await lookAt(page)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await page.getByRole('button', { name: 'Account menu' }).innerText()).toContain(ada.user.email)
  await page.getByRole('link', { name: 'Projects', exact: true }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  expect(await page.getByText('bobs-own').count()).toBe(0)
})

test('who has tried too often sees the wait count down, and begin anew with the next refusal', async () => {
  const { page } = await pages.open()
  let seconds = 50
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'Retry-After': String(seconds) },
      json: { error: 'Too many tries.', code: 'RATE_LIMITED' }
    })
  )
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('somebody@example.com')
  const signIn = page.getByRole('button', { name: 'Sign in' })
  await signIn.click()
  const left = async () => Number(/(\d+) s/.exec(await page.getByRole('alert').innerText())?.[1])
  await expect.poll(left).toBe(50)
  await page.clock.runFor(20_000)
  await expect.poll(left).toBeLessThanOrEqual(30)
  seconds = 90
  await signIn.click()
  await expect.poll(left).toBeGreaterThan(80)
})
