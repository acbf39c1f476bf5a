import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../../packages/server/src/db/schema/certificates.ts'
import { deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { addDomain, addVerifiedDomain, publicDnsOf } from '../../packages/server/test/support/domains.ts'
import type { MemoryMailQueue } from '../../packages/server/test/fakes/memory-mail-queue.ts'
import { issueSetupToken } from '../../packages/server/src/features/auth/first-account.service.ts'
import { newMailbox } from '../../packages/server/test/support/mail.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let admin: Client
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  admin = await pages.panel.signUp('ada')
  ann = await pages.panel.createUser(admin, { name: 'Ann', maxProjects: 3, maxDomains: null, maxDatabases: 0 })
})
afterAll(() => pages?.close())

async function addProject(by: Client, name: string, status: 'FAILED' | 'RUNNING', containerStatus = 'running') {
  const { db } = pages.panel.deps
  const { id } = await by.createProject({ name, gitUrl: `https://github.com/acme/${name}.git` })
  const deployment = newId()
  const row = { id: deployment, projectId: id, userId: by.user.id, trigger: 'MANUAL' as const, status }
  const failure = { phase: 'BUILD', reason: '<b>npm</b> exited with 1', exitCode: 1, line: null } as const
  await db.insert(deployments).values({ ...row, ...(status === 'FAILED' && { failure }) })
  if (status === 'RUNNING')
    await db.update(projects).set({ liveDeploymentId: deployment, containerStatus }).where(eq(projects.id, id))
  return { id, deployment }
}

test('the overview says that all is well, and live what is not, each with what to do about it', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/')
  const needs = page.getByRole('region', { name: 'Needs attention' })
  await needs.getByText('Everything is running').waitFor()
  await page.getByText('No deployments yet').waitFor()
  const usage = page.getByRole('region', { name: 'Usage' })
  await usage.getByRole('meter', { name: 'Projects' }).waitFor()
  expect(await usage.getByText('Databases').count()).toBe(0)
  // Another tab of the same person: this one hears of it.
  await addDomain(ann, 'unproved.example.com')
  await needs.getByRole('link', { name: 'unproved.example.com' }).waitFor()
  const { id } = await addVerifiedDomain(ann, 'shop.example.com')
  await pages.panel.deps.db
    .insert(certificates)
    .values({ id: newId(), domainId: id, commonName: 'shop.example.com', status: 'ERROR', errorMessage: 'No A record' })
  const shop = await addProject(ann, 'shop', 'FAILED')
  await addProject(ann, 'blog', 'RUNNING', 'exited')
  await ann.createProject({ name: 'third' })
  await newMailbox(ann, id, { localPart: 'orders' })
  const row = (text: string) => needs.getByRole('listitem').filter({ hasText: text })
  await row('Latest deployment failed').getByText('<b>npm</b> exited with 1').waitFor()
  await row('Certificate could not be issued').getByText('No A record').waitFor()
  await row('Container is not running').getByRole('button', { name: 'Start: blog' }).waitFor()
  await row('Quota almost used up').getByText('3/3').waitFor()
  await row('Not verified yet').getByRole('button', { name: 'Check again: unproved.example.com' }).click()
  await page.getByText('unproved.example.com checked').waitFor()
  await row('Latest deployment failed').getByRole('link', { name: 'shop' }).click()
  await page.waitForURL(`**/projects/${shop.id}/deployments?d=${shop.deployment}`)
  expect(complaints).toEqual([])
})

test('an administrator sees what the server needs too', async () => {
  const { page, complaints } = await pages.open(admin)
  const message = { id: '4bXyzABCDEFz', queue: 'hold' as const, arrivedAt: new Date(), bytes: 1, sender: 'ann@example.com', recipients: [], recipientCount: 0 } // oxfmt-ignore
  ;(pages.panel.deps.mailQueue as MemoryMailQueue).messages.set(message.id, message)
  await page.goto('/')
  const needs = page.getByRole('region', { name: 'Needs attention' })
  await needs.getByRole('link', { name: '1 message' }).click()
  await page.waitForURL('**/mail/queue?flagged=held')
  await page.goto('/')
  await needs.getByRole('link', { name: 'Enable' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/account/security')
  expect(complaints).toEqual([])
})

test('by the keyboard alone: a thing, a page and an act of the page are found and opened', async () => {
  await admin.request('PATCH', `/api/users/${ann.user.id}/quotas`, { maxDatabases: 1 })
  const { page, complaints } = await pages.open(ann)
  const keys = page.keyboard
  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const palette = page.getByRole('dialog', { name: 'Search or run a command' })
  const chosen = palette.locator('[aria-selected=true]')
  const open = async () => {
    await keys.press('Control+k')
    await palette.getByRole('combobox').waitFor()
    await palette.getByRole('combobox').and(page.locator(':focus')).waitFor()
  }
  await open()
  expect(await accessibilityProblems(page)).toEqual([])
  await palette.getByRole('option', { name: 'New project' }).waitFor()
  await keys.type('hop.exa')
  await palette.getByRole('option', { name: 'shop.example.com', exact: true }).waitFor()
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'shop.example.com' }).waitFor()
  await open()
  await keys.type('blog')
  await palette.getByRole('group', { name: 'Projects' }).getByRole('option', { name: 'blog' }).waitFor()
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'blog' }).waitFor()
  await open()
  await keys.type('orders')
  await palette.getByRole('option', { name: 'orders@shop.example.com' }).waitFor()
  await keys.press('Escape')
  await expect.poll(() => palette.count()).toBe(0)
  // Word starts first: of the pages, and before what only has it inside.
  await open()
  await keys.type('do')
  await expect.poll(() => chosen.innerText()).toContain('Domains')
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor()
  // An act of this page: its dialog has the focus, and gives it back to the button.
  await open()
  await keys.type('add dom')
  await expect.poll(() => chosen.innerText()).toContain('Add domain')
  await keys.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add domain' })
  await dialog.getByLabel('Hostname').and(page.locator(':focus')).waitFor()
  // Not over another dialog.
  await keys.press('Control+k')
  expect(await palette.count()).toBe(0)
  await keys.press('Escape')
  await expect.poll(() => dialog.count()).toBe(0)
  // Up and down go round, Escape closes, and the focus is where it was.
  await page.getByRole('textbox', { name: 'Search domains' }).focus()
  await open()
  const first = await chosen.innerText()
  await keys.press('ArrowDown')
  expect(await chosen.innerText()).not.toBe(first)
  await keys.press('ArrowUp')
  await keys.press('ArrowUp')
  const last = await palette.getByRole('option').last().innerText()
  expect(await chosen.innerText()).toBe(last)
  await keys.type('nothing has this name')
  await palette.getByText('No results', { exact: true }).waitFor()
  await keys.press('Escape')
  await expect.poll(() => palette.count()).toBe(0)
  await page.getByRole('textbox', { name: 'Search domains' }).and(page.locator(':focus')).waitFor()
  expect(complaints).toEqual([])
})

test('a palette reopened while it closes appears over the new page and has the focus', async () => {
  const { page } = await pages.open(ann)
  const keys = page.keyboard
  await page.goto('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const palette = page.getByRole('dialog', { name: 'Search or run a command' })
  const box = palette.getByRole('combobox')
  await keys.press('Control+k')
  for (const name of ['Domains', 'Projects', 'Databases']) {
    await box.and(page.locator(':focus')).waitFor()
    await keys.type(name)
    await palette.getByRole('option', { name, exact: true }).waitFor()
    // Faster than it fades.
    await page.evaluate(`{
      const press = (init) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }))
      press({ key: 'Enter' })
      press({ key: 'k', ctrlKey: true })
    }`)
    await page.waitForURL(`**/${name.toLowerCase()}`)
    await page.locator('h1', { hasText: name }).waitFor()
    await box.and(page.locator(':focus')).waitFor()
    expect(await box.inputValue()).toBe('')
  }
  await keys.type('not lost')
  expect(await box.inputValue()).toBe('not lost')
})

test('on a phone the palette opens by its button, and finds nothing of others', async () => {
  const { page } = await pages.open(admin, { width: 360, height: 740 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const palette = page.getByRole('dialog', { name: 'Search or run a command' })
  await palette.getByRole('combobox').fill('ann')
  await palette.getByRole('option', { name: 'Ann' }).waitFor()
  await palette.getByRole('combobox').fill('shop')
  await palette.getByText('No results', { exact: true }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
})

test('on a phone the drawer opens a page and closes; it contains the account menu and sign-out', async () => {
  const { page, complaints } = await pages.open(await pages.panel.signIn(admin.user.email), { width: 360, height: 740 })
  await page.goto('/')
  const open = page.getByRole('button', { name: 'Open navigation' })
  const drawer = page.getByRole('dialog', { name: 'Main' })
  await open.click()
  await drawer.getByRole('link', { name: 'Users' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await drawer.getByRole('link', { name: 'Projects' }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  await expect.poll(() => drawer.count()).toBe(0)
  // Closed without going anywhere, it gives the focus back.
  await open.click()
  await drawer.waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => drawer.count()).toBe(0)
  await open.and(page.locator(':focus')).waitFor()

  await open.click()
  await drawer.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.waitForURL('**/account/profile')
  await expect.poll(() => drawer.count()).toBe(0)
  await page.goBack()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  expect(await drawer.count()).toBe(0)
  await open.click()
  await drawer.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await page.goto('/projects')
  await page.waitForURL('**/login?next=%2Fprojects')
  expect(complaints).toEqual([])
})

test('the setup link creates the first account and leads from the panel domain to the first project, with a way back', async () => {
  const first = await startPages()
  try {
    const dns = publicDnsOf(first.panel)
    dns.set('panel.example.com', 'A', ['198.51.100.9'])
    const { page, context, complaints } = await first.open(undefined, { width: 1440, height: 900 })
    // As from another machine, which needs the link that the panel prints.
    await context.setExtraHTTPHeaders({ via: '1.1 elsewhere' })
    const token = await issueSetupToken(first.panel.deps)
    for (const fragment of ['', `#${token}`]) {
      await page.goto(`/setup${fragment}`)
      await page.getByRole('heading', { name: 'Create administrator account' }).waitFor()
      expect(new URL(page.url()).hash).toBe('')
      await page.getByLabel('Name').fill('Ada')
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Confirm password').fill(password)
      await page.getByRole('button', { name: 'Create account' }).click()
      if (fragment === '')
        await page
          .getByRole('alert')
          .filter({ hasText: /set-?up link/ })
          .waitFor()
      if (fragment === '') await page.goto('/login')
    }
    await page.getByRole('heading', { name: 'Set up your server' }).waitFor()
    const step = (name: string) => page.getByRole('region', { name })
    await step('1. Two-factor').getByRole('button', { name: 'Skip: Two-factor' }).click()
    const domain = step('2. Domain')
    await domain.getByLabel('Panel domain').fill('not a name')
    await domain.getByLabel('Public IPv4 address').fill('203.0.113.5')
    await domain.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => domain.getByLabel('Panel domain').getAttribute('aria-invalid')).toBe('true')
    await domain.getByLabel('Panel domain').fill('panel.example.com')
    await domain.getByRole('button', { name: 'Save' }).click()
    const record = domain.getByRole('group', { name: 'panel.example.com', exact: true })
    await record.getByText('Points elsewhere').waitFor()
    await record.getByText('198.51.100.9').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    // The page notices changes of the records.
    for (const name of ['panel', 'api.panel', 'webmail.panel', 'panel-probe.apps.panel'])
      dns.set(`${name}.example.com`, 'A', ['203.0.113.5'])
    await domain.getByText('Done').waitFor()
    const certificate = step('3. HTTPS')
    await certificate.getByRole('button', { name: 'Get certificate' }).click()
    await certificate.getByText('Done').waitFor()
    await certificate.getByRole('button', { name: 'View: HTTPS' }).click()
    await certificate.getByRole('button', { name: 'Continue at https://panel.example.com' }).waitFor()
    await step('4. First project').getByRole('button', { name: 'Open: First project' }).click()
    const project = step('4. First project')
    await project.getByLabel('Git repository').waitFor()
    await page.getByRole('button', { name: 'Go to overview' }).click()
    await page.getByText('Setup is not finished').waitFor()
    await page.getByRole('link', { name: 'Continue setup' }).click()
    await step('1. Two-factor').getByText('Skipped').waitFor()
    await project.getByLabel('Git repository').fill('https://github.com/acme/shop')
    await project.getByRole('button', { name: 'Inspect repository' }).click()
    await page.getByRole('heading', { level: 1, name: /project/i }).waitFor()
    await page.goto('/')
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect.poll(() => page.getByText('Setup is not finished').count()).toBe(0)
    expect(complaints).toEqual([])
  } finally {
    await first.close()
  }
})
