import { access, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { filesOf } from '../../packages/server/test/support/files.ts'
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

/** Number of requests of this kind sent by the page. */
function countOf(page: Page, method: string, path: string): () => number {
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname === path) sent++
  })
  return () => sent
}

/** Two clicks without a render in between, as on a busy tab. */
const pressTwice = async (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).evaluate((button: { click(): void }) => {
    button.click()
    button.click()
  })

test('double clicks send one request: sign-in, form and action', async () => {
  const { page } = await pages.open()
  const signIns = countOf(page, 'POST', '/api/auth/login')
  await page.goto('/login')
  await page.getByLabel('Email').fill(bob.user.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await pressTwice(page, 'Sign in')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(signIns()).toBe(1)

  const saved = countOf(page, 'PATCH', `/api/users/${bob.user.id}`)
  await page.goto('/account/profile')
  await page.getByLabel('Name').fill('Bob')
  await pressTwice(page, 'Save profile')
  await page.getByText('Profile saved').first().waitFor()
  expect(saved()).toBe(1)

  await pages.panel.signIn(bob.user.email)
  const ended = countOf(page, 'DELETE', '/api/auth/sessions')
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'End other sessions' }).waitFor()
  await pressTwice(page, 'End other sessions')
  await expect.poll(() => page.getByRole('button', { name: 'End session', exact: true }).count()).toBe(0)
  expect(ended()).toBe(1)
  await pages.panel.signIn(bob.user.email)
  await page.reload()
  await page.getByRole('button', { name: 'End other sessions' }).click()
  await expect.poll(ended).toBe(2)
})

test('a failed action can be retried from its error message', async () => {
  const client = await pages.panel.signIn(bob.user.email)
  await pages.panel.signIn(bob.user.email)
  const { page } = await pages.open(client)
  let isUnavailable = true
  await page.route('**/api/auth/sessions', (route) =>
    isUnavailable && route.request().method() === 'DELETE' ? route.abort('connectionrefused') : route.continue()
  )
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'End other sessions' }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'The panel is not responding' })
  await failed.waitFor()
  isUnavailable = false
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => failed.count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'End session', exact: true }).count()).toBe(0)
})

test('an action fails visibly while the panel is down, even on first use', async () => {
  const { id } = await ada.createProject()
  const { page } = await pages.open(ada)
  await page.goto(`/projects/${id}`)
  await page.getByRole('heading', { level: 1 }).click()
  await page.locator('.mantine-Notifications-root').first().waitFor({ state: 'attached' })
  await page.route('**', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'The panel is not responding' }).waitFor()
})

test('a failed sign-out says that the session is still open', async () => {
  const { page } = await pages.open(await pages.panel.signIn(bob.user.email))
  let isUnavailable = true
  await page.route('**/api/auth/logout', (route) =>
    isUnavailable ? route.abort('connectionrefused') : route.continue()
  )
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await page.goto('/projects')
  await signOut()
  await page.getByRole('alert').filter({ hasText: 'Could not sign out' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/projects')
  isUnavailable = false
  await signOut()
  await page.waitForURL('**/login')
})

async function projectWithFiles(...names: string[]) {
  const files = await filesOf(pages.panel, await pages.panel.signIn(bob.user.email))
  await mkdir(join(files.root, 'other'), { recursive: true })
  for (const name of names) await writeFile(join(files.root, name), name)
  const isThere = (name: string) =>
    access(join(files.root, name)).then(
      () => true,
      () => false
    )
  return { path: `/projects/${files.project.id}/files`, isThere }
}
const remove = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `Actions of ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
}

test('leaving a folder, a tab or the session executes pending deletions', async () => {
  const { path, isThere } = await projectWithFiles('first.txt', 'kept.txt', 'last.txt', 'left.txt')
  const { page } = await pages.open(await pages.panel.signIn(bob.user.email))
  await page.goto(path)
  await remove(page, 'kept.txt')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'kept.txt' }).waitFor()
  await remove(page, 'first.txt')
  const undo = page.getByRole('status').filter({ hasText: 'first.txt' }).getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await page.getByRole('table').getByRole('link', { name: 'other' }).click()
  await expect.poll(() => isThere('first.txt')).toBe(false)
  await expect.poll(() => undo.count()).toBe(0)

  await page.goto(path)
  await remove(page, 'last.txt')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.goto('about:blank')
  await expect.poll(() => isThere('last.txt')).toBe(false)

  await page.goto(path)
  await remove(page, 'left.txt')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  expect([await isThere('left.txt'), await isThere('kept.txt')]).toEqual([false, true])
})

test('typed values survive live updates; other fields show what was saved', async () => {
  const client = await pages.panel.signIn(bob.user.email)
  const project = await client.createProject({ name: 'typed-in' })
  const { page } = await pages.open(client)
  await page.goto(`/projects/${project.id}/settings`)
  const build = page.getByLabel('Build command')
  await build.fill('npm run typed')
  await expect.poll(() => page.locator('[role=status][data-state=live]').count()).toBeGreaterThan(0)
  await client.request('PUT', `/api/projects/${project.id}`, { startCmd: 'node elsewhere.js' })
  await pages.panel.deps.db.update(projects).set({ containerStatus: 'running' }).where(eq(projects.id, project.id))
  const requested = countOf(page, 'GET', `/api/projects/${project.id}`)
  await client.request('PUT', `/api/projects/${project.id}`, { startCmd: 'node another.js' })
  await expect.poll(requested).toBeGreaterThan(0)
  await page.waitForLoadState('networkidle')
  expect(await build.inputValue()).toBe('npm run typed')
  await page.getByRole('form', { name: 'Build and runtime' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()
  expect(await build.inputValue()).toBe('npm run typed')
  await client.request('PUT', `/api/projects/${project.id}`, { buildCmd: 'npm run theirs' })
  await expect.poll(() => build.inputValue()).toBe('npm run theirs')
})

test('typed quotas survive saving the name', async () => {
  const { page } = await pages.open(await pages.panel.signIn(ada.user.email))
  await page.goto(`/server/users/${bob.user.id}`)
  const quotas = page.getByRole('region', { name: 'Quotas' })
  const person = page.getByRole('region', { name: 'Name and email address' })
  await quotas.getByLabel('Projects').fill('7')
  await person.getByLabel('Name').fill('Robert')
  await person.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Robert' }).waitFor()
  expect(await quotas.getByLabel('Projects').inputValue()).toBe('7')
  expect(await person.getByLabel('Name').inputValue()).toBe('Robert')
})

test('relative times keep updating', async () => {
  const client = await pages.panel.signIn(bob.user.email)
  const { page } = await pages.open(client)
  await page.clock.install()
  await page.goto('/account/security')
  const since = page
    .getByRole('listitem')
    .or(page.getByRole('row'))
    .filter({ hasText: 'This session' })
    .locator('time')
    .last()
  const before = await since.innerText()
  await page.clock.fastForward('42:00')
  await expect.poll(() => since.innerText()).not.toBe(before)
})
