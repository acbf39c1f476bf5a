import { readFile } from 'node:fs/promises'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

// Panel clock: each TOTP step is accepted once, and a confirmed password expires.
let aheadMs = 0
let pages: Pages
let ann: Client
let bob: Client
beforeAll(async () => {
  pages = await startPages({}, { now: () => new Date(Date.now() + aheadMs) })
  ann = await pages.panel.signUp('ann')
  bob = await pages.panel.signUp('bob')
})
afterAll(() => pages?.close())

const codeOf = (secret: string) => {
  aheadMs += 30_000
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + aheadMs })
}
const dialogOf = (page: Page) => page.getByRole('dialog')

async function signInWith(email: string, code: string, withPassword = password): Promise<Page> {
  const { page } = await pages.open()
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(withPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  return page
}

test('two-factor: setup with a code, recovery codes, sign-in, new codes, disable', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await page.getByText('only a password protects this account').waitFor()
  aheadMs += 20 * 60_000
  await page.getByRole('button', { name: 'Set up two-factor' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel(/^Password for/).fill('wrong')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await proof.getByText('The password is wrong').waitFor()
  await proof.getByLabel(/^Password for/).fill(password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  const setUp = page.getByRole('dialog', { name: 'Set up two-factor' })
  const qr = setUp.getByRole('img', { name: /QR/ })
  await qr.waitFor()
  expect(await qr.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(100)
  const secret = await setUp.locator('code').innerText()
  await setUp.getByLabel('Code').fill('12345')
  await setUp.getByRole('button', { name: 'Enable two-factor' }).click()
  await setUp.getByText(/must be 6 digits/i).waitFor()
  await setUp.getByLabel('Code').fill(codeOf(secret))
  await setUp.getByRole('button', { name: 'Enable two-factor' }).click()
  const shown = page.getByRole('dialog', { name: 'Recovery codes' })
  await shown.getByRole('listitem').first().waitFor()
  const codes = await shown.getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  const download = page.waitForEvent('download')
  await shown.getByRole('button', { name: 'Download' }).click()
  const file = await readFile((await (await download).path())!, 'utf8')
  for (const code of codes) expect(file).toContain(code)
  await page.keyboard.press('Escape')
  await shown.getByRole('button', { name: 'I have saved the codes' }).click()
  await expect.poll(() => dialogOf(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Disable two-factor' }).waitFor()
  expect(await page.getByText(codes[0]!).count()).toBe(0)

  await signInWith(ann.user.email, codeOf(secret))
  await signInWith(ann.user.email, codes[0]!)

  await page.getByRole('button', { name: 'Generate new recovery codes' }).click()
  await dialogOf(page).getByLabel('Current password').fill(password)
  await dialogOf(page)
    .getByLabel(/^Authenticator code/)
    .fill(codes[0]!)
  await dialogOf(page).getByRole('button', { name: 'Generate new recovery codes' }).click()
  await dialogOf(page).getByText('The code is wrong').waitFor()
  await dialogOf(page)
    .getByLabel(/^Authenticator code/)
    .fill(codeOf(secret))
  await dialogOf(page).getByRole('button', { name: 'Generate new recovery codes' }).click()
  await shown.getByRole('listitem').first().waitFor()
  const others = await shown.getByRole('listitem').allInnerTexts()
  expect(new Set([...codes, ...others]).size).toBe(20)
  await shown.getByRole('button', { name: 'I have saved the codes' }).click()
  await signInWith(ann.user.email, others[0]!)

  await page.getByRole('button', { name: 'Disable two-factor' }).click()
  await dialogOf(page).getByLabel('Current password').fill(password)
  await dialogOf(page)
    .getByLabel(/^Authenticator code/)
    .fill(others[1]!)
  await dialogOf(page).getByRole('button', { name: 'Disable two-factor' }).click()
  await page.getByRole('button', { name: 'Set up two-factor' }).waitFor()
  expect(complaints).toEqual([])
})

test('a session ended elsewhere asks for the password and the page continues', async () => {
  const { page, complaints } = await pages.open(bob)
  const elsewhere = await pages.open(await pages.panel.signIn(bob.user.email))
  await elsewhere.page.goto('/databases')
  await elsewhere.page.getByText('No databases yet').waitFor()
  await page.goto('/account/security')
  await page.getByText('This session').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'End session', exact: true }).count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'End other sessions' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'End session', exact: true }).count()).toBe(0)
  const dialog = elsewhere.page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByLabel(/^Password for/).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => elsewhere.page.getByRole('dialog').count()).toBe(0)
  await elsewhere.page.getByRole('link', { name: 'Projects' }).click()
  await elsewhere.page.getByRole('heading', { name: 'Projects' }).waitFor()
  await page.getByRole('button', { name: 'End session', exact: true }).first().click()
  await page.getByText('Session ended').waitFor()
  expect([complaints, elsewhere.complaints]).toEqual([[], []])
})

test('changes the password and shows errors at their fields', async () => {
  const { page, complaints } = await pages.open(bob)
  await page.goto('/account/security')
  const change = page.getByRole('button', { name: 'Change password' })
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password', { exact: true }).fill('another good password')
  await page.getByLabel('Confirm new password').fill('another good passwort')
  await change.click()
  await page.getByText('Does not match the new password').waitFor()
  await page.getByLabel('Confirm new password').fill('another good password')
  await change.click()
  await page.getByText(/password is wrong/).waitFor()
  await page.getByLabel('Current password').fill(password)
  await change.click()
  await page.getByText('Password changed').waitFor()
  expect(await page.getByLabel('Current password').inputValue()).toBe('')
  const body = { email: bob.user.email, password: 'another good password' }
  const answer = await pages.panel.app.inject({ method: 'POST', url: '/api/auth/login', payload: body })
  expect(answer.statusCode).toBe(200)
  expect(complaints).toEqual([])
})

test('a token requires the password, is shown once, respects its scope and can be revoked', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/account/tokens')
  await page.getByText('No API tokens yet').waitFor()
  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Name').fill('pipeline')
  await dialog.getByRole('radio', { name: 'Deploy' }).check()
  await dialog.getByLabel('Lifetime').selectOption({ label: '365 days' })
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('The password is wrong').waitFor()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: 'pipeline' })
  const token = await shown.locator('code').first().innerText()
  const ask = (path: string, method = 'GET') =>
    fetch(pages.url + path, { method, headers: { authorization: `Bearer ${token}` } })
  expect(await (await ask('/api/auth/me')).json()).toMatchObject({ email: ann.user.email })
  expect((await ask('/api/auth/logout', 'POST')).status).toBe(403)
  await shown.getByRole('button', { name: 'I have saved the token' }).click()
  const row = page.getByRole('row').filter({ hasText: 'pipeline' })
  expect(await row.innerText()).toMatch(/Deploy[^]*(next yr|in 12 mo)/)
  expect(await page.getByText(token).count()).toBe(0)
  await row.getByRole('button', { name: 'Revoke' }).click()
  const sure = page.getByRole('dialog', { name: 'Revoke pipeline' })
  expect(await sure.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true)
  await sure.getByRole('textbox').fill('pipeline')
  await sure.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No API tokens yet').waitFor()
  expect((await ask('/api/auth/me')).status).toBe(401)
  expect(complaints).toEqual([])
})

test('a token with invisible characters in its name is revoked by its visible name', async () => {
  const made = await bob.request('POST', '/api/auth/tokens', {
    name: 'build\u202ebot',
    scope: 'read',
    expiresInDays: 1,
    password: 'another good password'
  })
  expect(made.statusCode).toBe(201)
  const { page } = await pages.open(bob)
  await page.goto('/account/tokens')
  await page.getByRole('button', { name: 'Revoke' }).click()
  const sure = dialogOf(page)
  await sure.getByRole('textbox').fill('buildbut')
  expect(await sure.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true)
  await sure.getByRole('textbox').fill('buildbot')
  await sure.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No API tokens yet').waitFor()
})

test('name, language, theme and time zone are stored with the account', async () => {
  const carl = await pages.panel.signUp('carl')
  const { page, complaints } = await pages.open(carl)
  await page.goto('/account')
  await expect.poll(() => page.url()).toMatch(/\/account\/profile$/)
  expect(await page.getByLabel('Email').getAttribute('readonly')).not.toBeNull()
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Name').fill('Carl <b>Groß</b>')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Account menu' }).innerText()).toContain('Carl <b>Groß</b>')
  await page.getByLabel('Time zone').selectOption('Pacific/Kiritimati')
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
  const [entry] = await pages.panel.audited({ action: 'user.registered', actorId: carl.user.id })
  const shown = (timeZone: string) =>
    new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(entry!.createdAt)

  const other = await pages.open(await pages.panel.signIn(carl.user.email))
  await other.page.goto('/account/activity')
  await other.page.getByRole('heading', { name: 'Aktivitäten' }).waitFor()
  const row = other.page.getByRole('row').filter({ hasText: 'Registriert' })
  await expect.poll(() => row.innerText()).toContain(shown('Pacific/Kiritimati'))
  expect(await row.innerText()).not.toContain(shown('UTC'))
  const scheme = 'document.documentElement.dataset.mantineColorScheme'
  await expect.poll(() => other.page.evaluate(scheme)).toBe('dark')

  await other.page.getByRole('button', { name: 'Kontomenü' }).click()
  await other.page.getByRole('menuitemradio', { name: 'English' }).click()
  await other.page.getByRole('heading', { name: 'Activity' }).waitFor()
  await expect
    .poll(async () => (await carl.request('GET', '/api/auth/me')).json<{ locale: string }>().locale)
    .toBe('en')
  expect([complaints, other.complaints]).toEqual([[], []])
})

test('an administrator changes their email address after confirming the password', async () => {
  const { page, complaints } = await pages.open(await pages.panel.signIn(ann.user.email))
  await page.goto('/account/profile')
  aheadMs += 20 * 60_000
  await page.getByLabel('Email').fill(bob.user.email)
  await page.getByRole('button', { name: 'Save' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Nothing was changed').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await proof.getByLabel(/^Password for/).fill(password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect.poll(() => page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Email').fill('ann@elsewhere.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => page.getByRole('button', { name: 'Account menu' }).innerText())
    .toContain('ann@elsewhere.example')
  expect(complaints).toEqual([])
})
