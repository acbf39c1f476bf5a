import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendPasswordReset } from '../../packages/server/src/features/password-reset/password-reset.service.ts'
import { createMemoryMailer } from '../../packages/server/test/fakes/memory-mailer.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

const mailer = createMemoryMailer()
let pages: Pages
let ada: Client
let bob: Client
beforeAll(async () => {
  pages = await startPages({}, { mailer })
  ada = await pages.panel.signUp('ada')
  bob = await pages.panel.signUp('bob')
})
afterAll(() => pages?.close())

const endOthers = async (email: string) => (await pages.panel.signIn(email)).request('DELETE', '/api/auth/sessions')

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel(/^Password for/).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => dialog.count()).toBe(0)
}

const useCookieOf = async (context: BrowserContext, { cookie }: Client) => {
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url: pages.url, httpOnly: true, sameSite: 'Lax' }])
}
const lookAt = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)

test('form values survive the end of the session, on a page and in a dialog', async () => {
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

test('declining to sign in again opens the sign-in page and later returns', async () => {
  const { page } = await pages.open(await pages.panel.signIn(bob.user.email))
  await page.goto('/domains?q=shop')
  await page.getByRole('heading', { name: 'Domains' }).waitFor()
  await endOthers(bob.user.email)
  await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Close' }).click()
  await page.waitForURL('**/login?next=%2Fdomains%3Fq%3Dshop')
  await page.getByLabel('Email').fill(bob.user.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/domains?q=shop')
})

test('a tab reloads without old data when another account signs in', async () => {
  await (await pages.panel.signIn(bob.user.email)).createProject({ name: 'bobs-own' })
  const { page, context } = await pages.open(await pages.panel.signIn(bob.user.email))
  await page.goto('/projects')
  await page.getByRole('link', { name: 'bobs-own' }).waitFor()
  await useCookieOf(context, await pages.panel.signIn(ada.user.email))
  await lookAt(page)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await page.getByRole('button', { name: 'Account menu' }).innerText()).toContain(ada.user.email)
  await page.getByRole('link', { name: 'Projects', exact: true }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  expect(await page.getByText('bobs-own').count()).toBe(0)
})

test('resets a forgotten password by email', async () => {
  const carl = await pages.panel.signUp('carl')
  const { page, complaints } = await pages.open()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill(carl.user.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await page.getByText('If an account with this address exists, a reset link is on its way.').waitFor()
  const { rows } = await pages.panel.deps.db.$client.query(
    "select data from pgboss.job where name = 'accounts.password-reset'"
  )
  expect(rows).toHaveLength(1)
  await sendPasswordReset(pages.panel.deps, rows[0].data)
  const link = new URL(/^http\S+$/m.exec(mailer.sent.at(-1)!.text)![0])

  await page.goto(link.pathname + link.hash)
  await page.getByLabel('Password', { exact: true }).fill('another good one')
  expect(new URL(page.url()).hash).toBe('')
  await page.getByLabel('Confirm password').fill('another')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Does not match the new password').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Confirm password').fill('another good one')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Password changed. Sign in with your new password.').waitFor()
  expect((await carl.request('GET', '/api/auth/me')).statusCode).toBe(401)
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByLabel('Email').fill(carl.user.email)
  for (const [secret, isRight] of [
    [password, false],
    ['another good one', true]
  ] as const) {
    await page.getByLabel('Password', { exact: true }).fill(secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await (isRight ? page.getByRole('heading', { name: 'Overview' }) : page.getByRole('alert')).waitFor()
  }

  await page.goto(link.pathname + link.hash)
  for (const label of ['Password', 'Confirm password'])
    await page.getByLabel(label, { exact: true }).fill('a third good one')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('alert').filter({ hasText: 'Request a new one' }).waitFor()
  await page.goto('/login')
  await page.goto(link.pathname)
  await page.getByText('This link is incomplete. Request a new one.').waitFor()
  expect(complaints).toEqual([])
})

test('with registration off, no page offers it', async () => {
  const settings = (value: string | null) =>
    pages.panel
      .signIn(ada.user.email)
      .then((admin) => admin.request('PUT', '/api/system/settings', { variables: { ALLOW_REGISTRATION: value } }))
  const { page } = await pages.open()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Create account' }).waitFor()
  expect((await settings('false')).statusCode).toBe(200)
  try {
    await page.reload()
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0)
    await page.goto('/register')
    await page.getByText('Registration is disabled. Ask an administrator for an account.').waitFor()
    expect(await page.getByRole('button', { name: 'Create account' }).count()).toBe(0)
  } finally {
    await settings(null)
  }
})

test('shows a countdown after too many attempts', async () => {
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
  await page.getByLabel('Email').fill('somebody@example.com')
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
