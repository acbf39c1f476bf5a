import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificates } from '../../packages/server/src/db/schema/certificates.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { addDomain, addVerifiedDomain, publicDnsOf } from '../../packages/server/test/support/domains.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

const dayMs = 24 * 3_600_000

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages({ PUBLIC_IP: '203.0.113.1' })
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

const domainOf = async (id: string) => (await ann.request('GET', `/api/domains/${id}`)).json()

test('resolver results update until the domain is verified', async () => {
  const { id, hostname, verificationInstructions } = await addDomain(ann, 'proof.example.com')
  const { recordName, recordValue } = verificationInstructions!
  const dns = publicDnsOf(pages.panel)
  const [first, second] = dns.resolvers
  dns.set(recordName, 'TXT', ['something else'], first)
  dns.set(hostname, 'A', ['203.0.113.1'], second)
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  await page.goto(`/domains/${id}`)
  const of = (name: string) => page.getByRole('group', { name }).getByRole('listitem').allInnerTexts()
  await expect
    .poll(() => of('Ownership'))
    .toEqual([
      expect.stringMatching(/192\.0\.2\.1\s*Different value\s*something else/),
      expect.stringMatching(/192\.0\.2\.2\s*Not found/),
      expect.stringMatching(/192\.0\.2\.3\s*Not found/)
    ])
  expect(await of('Routing')).toContainEqual(expect.stringMatching(/192\.0\.2\.2\s*Found/))
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  const { status, updatedAt } = await domainOf(id)
  await page.getByRole('button', { name: 'Verify domain' }).click()
  dns.set(recordName, 'TXT', [recordValue], second)
  await page.getByText('Active', { exact: true }).waitFor()
  expect(status).toBe('ERROR')
  expect(Date.parse((await domainOf(id)).updatedAt)).toBeGreaterThan(Date.parse(updatedAt))
  await page.getByRole('button', { name: 'Verify domain' }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('the list shows certificate expiry and unverified domains', async () => {
  const bob = await pages.panel.signUp('bob')
  const { db } = pages.panel.deps
  const of = async (hostname: string, values: Partial<typeof certificates.$inferInsert>) => {
    const { id } = await addVerifiedDomain(bob, hostname)
    const row = { id: newId(), domainId: id, type: 'CUSTOM' as const, commonName: hostname, sans: [hostname] }
    await db.insert(certificates).values({ ...row, ...values })
  }
  const inDays = (days: number) => new Date(Date.now() + days * dayMs + 60_000)
  await of('well.example.org', { status: 'ACTIVE', validTo: inDays(89) })
  await of('soon.example.org', { status: 'ACTIVE', validTo: inDays(6) })
  await of('over.example.org', { status: 'ACTIVE', validTo: inDays(-1) })
  await of('failed.example.org', { status: 'ERROR' })
  await addVerifiedDomain(bob, 'bare.example.org')
  for (const name of ['one', 'two']) await addDomain(bob, `${name}.example.net`)
  const { page, complaints } = await pages.open(bob)
  await page.goto('/domains')
  for (const [name, words] of [
    ['well', '89 days left'],
    ['soon', 'Expires in 6 days'],
    ['over', 'Expired'],
    ['failed', 'Failed'],
    ['bare', 'None']
  ])
    await page
      .getByRole('row')
      .filter({ hasText: `${name}.example.org` })
      .getByText(words!, { exact: true })
      .waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const alerts = page.getByRole('alert').filter({ hasText: '3 certificates need attention' })
  await alerts.getByText('over.example.org: expired').waitFor()
  await alerts.getByText('soon.example.org: expires soon').waitFor()
  expect(await alerts.getByRole('link').count()).toBe(3)
  await page.getByRole('link', { name: 'Not verified (2)' }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
  expect(complaints).toEqual([])
})

test('a domain is pointed at another project, detached, and gets subdomains', async () => {
  const [shop, blog] = [await ann.createProject({ name: 'shop' }), await ann.createProject({ name: 'blog' })]
  const { id } = await addVerifiedDomain(ann, 'reach.example.com', { projectId: shop.id })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}`)
  const reach = page.getByRole('region', { name: 'Target' })
  await reach.getByRole('link', { name: 'shop' }).waitFor()
  await reach.getByLabel('Project').selectOption({ label: 'blog' })
  await reach.getByRole('button', { name: 'Change target' }).click()
  await page.getByText('reach.example.com points to blog').waitFor()
  await expect.poll(async () => (await domainOf(id)).projectId).toBe(blog.id)
  await reach.getByRole('button', { name: 'Detach project' }).click()
  await expect.poll(async () => (await domainOf(id)).projectId).toBe(null)
  await reach.getByText('None').waitFor()
  const below = page.getByRole('region', { name: 'Subdomains' })
  await below.getByRole('button', { name: 'Add subdomain' }).click()
  await page.getByRole('dialog').getByLabel('Hostname').fill('deep.reach.example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByRole('heading', { level: 1, name: 'deep.reach.example.com' }).waitFor()
  await page.goto(`/domains/${id}`)
  await below.getByRole('link', { name: 'deep.reach.example.com' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})
