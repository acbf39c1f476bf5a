import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOf, newDatabase } from '../../packages/server/test/support/databases.ts'
import { addDomain, addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages()
})
afterAll(() => pages?.close())

interface Route {
  hostname: string
  pathPrefix: string | null
  projectId: string | null
}
const domainsOf = async (client: Client) => (await client.request('GET', '/api/domains')).json<Route[]>()

test('the route map shows targets in matching order', async () => {
  ann = await pages.panel.signUp('ann')
  const [shop, wine] = [await ann.createProject({ name: 'shop' }), await ann.createProject({ name: 'wine' })]
  await addVerifiedDomain(ann, 'example.com', { projectId: shop.id })
  for (const body of [
    { hostname: '*.example.com' },
    { hostname: 'example.com', pathPrefix: '/wine', projectId: wine.id }
  ])
    expect((await ann.request('POST', '/api/domains', body)).statusCode).toBe(201)
  await addDomain(ann, 'other.example.org')
  const { page, complaints } = await pages.open(ann)
  await page.goto('/domains')
  await page.getByRole('link', { name: 'Routes' }).click()
  const rows = page.getByRole('region', { name: 'example.com', exact: true }).getByRole('listitem')
  await expect
    .poll(async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
    .toEqual([
      expect.stringMatching(/^example\.com ?\/wine points to wine/),
      expect.stringMatching(/^example\.com points to shop/),
      expect.stringMatching(/^\*\.example\.com points to None/)
    ])
  await page.getByRole('region', { name: 'example.org' }).getByText('Not verified').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Search domains').fill('org')
  await expect.poll(() => rows.count()).toBe(0)
  await page.getByLabel('Search domains').fill('nothing-like-it')
  await page.getByText('No results', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a project gets a domain, a path and another project’s domain, and detaches one', async () => {
  ann = await pages.panel.signUp('bea')
  const [site, old] = [await ann.createProject({ name: 'site' }), await ann.createProject({ name: 'old' })]
  await addVerifiedDomain(ann, 'example.net', { projectId: old.id })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${site.id}`)
  await page.getByRole('navigation', { name: 'Project sections' }).getByRole('link', { name: 'Domains' }).click()
  await page.getByText('Assigned on the first deployment.').waitFor()
  await page.getByText('No domain points to this project').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByText('Existing domain').waitFor()
  expect(await page.getByLabel('Domain', { exact: true }).innerText()).toContain('example.net (currently old)')
  await page.getByRole('button', { name: 'Attach domain' }).click()
  await page.getByRole('link', { name: 'example.net' }).waitFor()
  expect(await domainsOf(ann)).toMatchObject([{ hostname: 'example.net', projectId: site.id }])

  await page.getByRole('button', { name: 'Add domain' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Hostname').fill('example.net')
  await dialog.getByLabel('Path').fill('blog/')
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  await dialog.getByText(/must be a path such as/i).waitFor()
  await dialog.getByLabel('Path').fill('/blog')
  await dialog.getByRole('button', { name: 'Add domain' }).click()
  await page.waitForURL('**/domains/*')
  await page.goto(`/projects/${site.id}/domains`)
  const names = page.getByRole('table').getByRole('link')
  await expect.poll(() => names.allInnerTexts()).toEqual(['example.net/blog', 'example.net'])
  await page.getByRole('button', { name: 'Detach example.net/blog' }).click()
  await expect.poll(() => names.allInnerTexts()).toEqual(['example.net'])
  expect((await domainsOf(ann)).find(({ pathPrefix }) => pathPrefix === '/blog')).toMatchObject({ projectId: null })
  expect(complaints).toEqual([])
})

test('a project gets a database, links another and unlinks it', async () => {
  ann = await pages.panel.signUp('cleo')
  const { id } = await ann.createProject({ name: 'shop' })
  await newDatabase(ann, { name: 'older' })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/databases`)
  await page.getByText('No linked databases.').waitFor()
  await page.getByRole('button', { name: 'Add database' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('fresh')
  await dialog.getByRole('button', { name: 'Add database' }).click()
  await page.getByRole('link', { name: 'fresh' }).waitFor()
  await page.getByText('Another linked database already provides these variables.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Link database' }).click()
  await page.getByRole('link', { name: 'older' }).waitFor()
  const linked = async () => (await listOf(ann)).filter((database) => database.projectId === id)
  expect(new Set((await linked()).map(({ name, autoInjectEnv }) => `${name} ${autoInjectEnv}`))).toEqual(
    new Set(['fresh true', 'older false'])
  )
  await page.getByRole('button', { name: 'Unlink fresh' }).click()
  await expect.poll(async () => (await linked()).map(({ name }) => name)).toEqual(['older'])
  await page.getByRole('button', { name: 'Link database' }).waitFor()
  expect(complaints).toEqual([])
})
