import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskUsageHistory } from '../../packages/server/src/db/schema/disk-usage-history.ts'
import { diskUsage } from '../../packages/server/src/db/schema/disk-usage.ts'
import { createMemoryMailer } from '../../packages/server/test/fakes/memory-mailer.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

// A name can be anything: markup, what turns the text beside it around, and as long as it may be.
const hostile = '<img src=x onerror=alert(1)>'
const turned = '\u202egnp.exe'
const long = 'x'.repeat(100)

const mailer = createMemoryMailer()
let pages: Pages
let admin: Client
let reseller: Client
beforeAll(async () => {
  pages = await startPages({}, { mailer })
  admin = await pages.panel.signUp('ada')
  reseller = await pages.panel.createUser(admin, { name: 'Studio Nord', role: 'RESELLER', maxProjects: 5 })
  for (const name of [hostile, turned, long]) await pages.panel.createUser(admin, { name })
})
afterAll(() => pages?.close())

const accountOf = async ({ user }: Client) => (await admin.request('GET', `/api/users/${user.id}`)).json()

test('an ADMIN finds accounts by name, role and state, and the address says what is looked for', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/users')
  await page.getByRole('link', { name: 'Studio Nord' }).waitFor()
  await page.getByText(hostile, { exact: true }).waitFor()
  expect(await page.locator('table').innerText()).not.toContain('\u202e')
  expect(await page.locator('table img').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await page.getByRole('link', { name: 'Reseller', exact: true }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  expect(page.url()).toContain('role=RESELLER')
  await page.getByLabel('Search names and addresses').fill('nobody has this')
  await page.getByText('No results', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('No results', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(4)
  await page.getByText(hostile, { exact: true }).click()
  await page.getByRole('heading', { name: hostile, level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

test('an account is made, gets quotas and permissions, is suspended and goes on', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/users')
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Bo Berg')
  await dialog.getByLabel('Email address').fill(reseller.user.email)
  await dialog.getByLabel('Send an invitation').uncheck()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await expect.poll(() => dialog.locator('[aria-invalid=true]').count()).toBe(1)
  await dialog.getByLabel('Email address').fill('bo@example.com')
  await dialog.getByLabel('Projects').fill('3')
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await page.getByRole('heading', { name: 'Bo Berg', level: 1 }).waitFor()
  const bo = await pages.panel.signIn('bo@example.com')
  expect(await accountOf(bo)).toMatchObject({ role: 'USER', maxProjects: 3, maxDomains: null })
  const quotas = page.getByRole('form', { name: 'Quotas' })
  await quotas.getByLabel('Projects').fill('')
  await quotas.getByLabel('Domains').fill('7')
  await quotas.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => accountOf(bo)).toMatchObject({ maxProjects: null, maxDomains: 7 })
  await page.getByLabel('Manage DNS of the server').check()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await expect.poll(() => accountOf(bo)).toMatchObject({ permissions: ['canManageDns'] })
  await page.getByText('sessions and API tokens end').waitFor()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('This account is suspended').waitFor()
  expect((await bo.request('GET', '/api/auth/me')).statusCode).toBe(401)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => accountOf(bo)).toMatchObject({ suspended: false })
  const again = await pages.panel.signIn('bo@example.com')
  await page.getByRole('button', { name: 'End all sessions' }).click()
  await expect.poll(async () => (await again.request('GET', '/api/auth/me')).statusCode).toBe(401)
  expect(complaints).toEqual([])
})

test('somebody is invited by mail, without a password that another knows', async () => {
  const { page, complaints } = await pages.open(reseller)
  await page.goto('/customers')
  await page.getByRole('button', { name: 'Add customer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cleo')
  await dialog.getByLabel('Email address').fill('cleo@example.com')
  for (const quota of ['Projects', 'Domains', 'Databases', 'Mailboxes']) await dialog.getByLabel(quota).fill('1')
  await dialog.getByRole('button', { name: 'Add customer' }).click()
  // The reseller has five projects to share out, and of all else as much as it likes.
  await page.getByText('Invitation sent to cleo@example.com').waitFor()
  await page.getByRole('heading', { name: 'Cleo', level: 1 }).waitFor()
  const { users } = (await admin.request('GET', '/api/users?search=cleo')).json()
  expect(users).toMatchObject([{ email: 'cleo@example.com', parentId: reseller.user.id, maxProjects: 1 }])
  await admin.request('DELETE', `/api/users/${users[0].id}`)
  expect(complaints).toEqual([])
})

test('what is in the way of deleting an account is said, and it goes by its address alone', async () => {
  const full = await pages.panel.createUser(admin, { name: 'Full' })
  await full.createProject()
  const { page, complaints } = await pages.open(admin)
  await page.goto(`/server/users/${full.user.id}`)
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  const sure = dialog.getByRole('button', { name: 'Delete account' })
  expect(await sure.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill(full.user.email)
  await sure.click()
  await dialog.getByText('This account still has').waitFor()
  await dialog.getByLabel('Also delete its projects').check()
  await sure.click()
  await page.waitForURL('**/server/users')
  expect((await admin.request('GET', `/api/users/${full.user.id}`)).statusCode).toBe(404)
  expect(complaints).toEqual([])
})

test('a reseller sees its customers only, what it has shared out and what of it is used', async () => {
  const customer = await pages.panel.createUser(reseller, { name: 'Bäckerei Grün', maxProjects: 2, maxDomains: 1, maxDatabases: 1, maxMailboxes: 1, maxDiskMb: 100 }) // prettier-ignore
  await customer.createProject()
  await admin.request('PATCH', `/api/users/${reseller.user.id}/quotas`, { maxProjects: 1, oversellingEnabled: true })
  const { page, complaints } = await pages.open(reseller)
  await page.goto('/projects')
  await page.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('link', { name: 'Bäckerei Grün' }).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(1)
  const projects = page.getByRole('listitem').filter({ hasText: '2 assigned' })
  await projects.getByText('1 of 1').waitFor()
  await projects.getByText('Oversold').waitFor()
  await page.getByRole('link', { name: 'Bäckerei Grün' }).click()
  await page.getByText('1 of 2').waitFor()
  expect(await page.getByLabel('Role').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'End all sessions' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Suspend' }).click()
  await expect.poll(() => accountOf(customer)).toMatchObject({ suspended: true })
  // Nobody else's, by an address either.
  await page.goto(`/customers/${admin.user.id}`)
  await page.getByText('You do not have access').waitFor()
  await page.goto('/server/users')
  await page.getByText('You do not have access').waitFor()
  expect(complaints).toEqual([])
})

test('who has no customers is told so', async () => {
  const plain = await pages.panel.createUser(admin)
  const { page } = await pages.open(plain)
  await page.goto('/customers')
  await page.getByText('You do not have access').waitFor()
  expect(await page.getByRole('link', { name: 'Customers' }).count()).toBe(0)
})

test('a list says what each account really uses, those with the most first, and what is used up or oversold', async () => {
  const owner = await pages.panel.createUser(admin, { name: 'Hosting Ost', role: 'RESELLER', maxProjects: 9 })
  const heavy = await pages.panel.createUser(owner, { name: 'Heavy', maxProjects: 1, maxDiskMb: 10 })
  const light = await pages.panel.createUser(owner, { name: 'Light', maxProjects: 8 })
  await heavy.createProject()
  for (const [{ user }, bytes] of [
    [heavy, 9 * 2 ** 20],
    [light, 2 ** 20]
  ] as const)
    // prettier-ignore
    await pages.panel.deps.db
      .insert(diskUsage)
      .values({ userId: user.id, kind: 'FILES', bytes, measuredAt: new Date() })
  await admin.request('PATCH', `/api/users/${owner.user.id}/quotas`, { maxProjects: 5, oversellingEnabled: true })
  const { page, complaints } = await pages.open(owner)
  await page.goto('/customers')
  const rows = page.locator('tbody tr')
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([expect.stringContaining('Heavy'), expect.stringContaining('Light')])
  expect(await rows.first().innerText()).toMatch(/9 MB of 10 MB[^]*Projects: 1 of 1/)
  expect(await rows.last().innerText()).toMatch(/1 MB/)
  await page.getByRole('link', { name: 'Newest' }).click()
  await expect.poll(() => rows.first().innerText()).toContain('Light')
  expect(new URL(page.url()).searchParams.get('order')).toBe('created')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  const { page: server } = await pages.open(admin)
  await server.goto('/server/users?q=Hosting')
  await server.getByRole('row').filter({ hasText: 'Hosting Ost' }).getByText('Oversold').waitFor()
  expect(complaints).toEqual([])
})

test('everybody sees what they use of what they may have, and how it came to be', async () => {
  const client = await pages.panel.createUser(admin, { name: 'Usage', maxProjects: 4, maxDiskMb: 100 })
  await client.createProject()
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const row = { userId: client.user.id, kind: 'FILES' } as const
  const days = [3, 2, 1].map((ago) => ({ ...row, day: day(ago), bytes: (4 - ago) * 2 ** 20 }))
  await pages.panel.deps.db.insert(diskUsageHistory).values(days)
  const { page, complaints } = await pages.open(client)
  await page.goto('/account/profile')
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByText('1 of 4').waitFor()
  await page.getByRole('img', { name: /^Disk usage: Disk usage 3 MB/ }).waitFor()
  await page.getByRole('button', { name: /Show as table/ }).click()
  await page.getByRole('cell', { name: '2 MB' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const { page: server } = await pages.open(admin)
  await server.goto(`/server/users/${client.user.id}`)
  await server.getByRole('img', { name: /^Disk usage/ }).waitFor()
  expect(complaints).toEqual([])
})
