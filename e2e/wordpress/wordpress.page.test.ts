import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Project } from '@panel/contract/projects'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { wordpressImports } from '../../packages/server/src/db/schema/wordpress-imports.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

const newSite = async (values: Partial<typeof projects.$inferInsert> = {}): Promise<Project> => {
  const site = await ann.createProject({ type: 'WORDPRESS' })
  if (Object.keys(values).length > 0)
    await pages.panel.deps.db.update(projects).set(values).where(eq(projects.id, site.id))
  return site
}
const deployed = { deployedAt: new Date(), deployedDomain: 'blog.apps.example.com' }
const importsOf = (projectId: string) =>
  pages.panel.deps.db.select().from(wordpressImports).where(eq(wordpressImports.projectId, projectId))
const setImport = (projectId: string, values: Partial<typeof wordpressImports.$inferInsert>) =>
  pages.panel.deps.db.update(wordpressImports).set(values).where(eq(wordpressImports.projectId, projectId))

test('a new site whose first build was refused shows the reason', async () => {
  const { page } = await pages.open(ann)
  const body = { error: 'The build queue is full', code: 'BUSY' }
  await page.route('**/build', (route) => route.fulfill({ status: 503, json: body }))
  await page.goto('/projects/new?from=wordpress')
  await page.getByLabel('Name').fill('refused-blog')
  await page.getByRole('button', { name: 'Create site' }).click()
  await page.getByRole('heading', { name: 'refused-blog' }).waitFor()
  await page.getByRole('alert').filter({ hasText: 'The build queue is full' }).waitFor()
})

test('WordPress is a project type with its own page', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects/new')
  await page.getByRole('link', { name: 'WordPress' }).click()
  await page.getByLabel('Name').fill('my-blog')
  await page.getByLabel('Deploy later').check()
  await page.getByRole('button', { name: 'Create site' }).click()
  await page.getByText('Not deployed yet').waitFor()
  const sections = page.getByRole('navigation', { name: 'Project sections' })
  expect(await sections.getByRole('link', { name: 'WordPress' }).getAttribute('aria-current')).toBe('page')
  const other = await ann.createProject({ type: 'NODEJS' })
  await page.goto(`/projects/${other.id}/wordpress`)
  await page.getByText('Not a WordPress project').waitFor()
  expect(await sections.getByRole('link', { name: 'WordPress' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a live site links to wp-admin and its export', async () => {
  const site = await newSite(deployed)
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${site.id}/wordpress`)
  const href = (name: string) => page.getByRole('link', { name }).getAttribute('href')
  expect(await href('Open wp-admin')).toBe('//blog.apps.example.com/wp-admin/')
  expect(await href('Export')).toBe(`/api/projects/${site.id}/wordpress/export`)
  expect(complaints).toEqual([])
})

test('the page cache is enabled, shows its hit rate and is purged', async () => {
  const site = await newSite(deployed)
  const { page, complaints } = await pages.open(ann)
  const requests = { date: '2026-11-28', hits: 30, misses: 10, bypasses: 1_200 }
  await page.goto(`/projects/${site.id}/wordpress`)
  await page.getByRole('button', { name: 'Enable page cache' }).click()
  await page.getByText('Not active yet').waitFor()
  const isEnabled = async () => (await ann.request('GET', `/api/projects/${site.id}`)).json<Project>().pageCache
  expect(await isEnabled()).toBe(true)
  const found = { enabled: true, active: true, days: [requests] }
  await page.route('**/wordpress/page-cache', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: found }) : route.continue()
  )
  await page.reload()
  await page.getByText('Hit rate 75% of 40 page requests').waitFor()
  await page.getByRole('button', { name: 'Purge cache' }).click()
  await page.getByText('Page cache purged').waitFor()
  await page.getByRole('button', { name: 'Disable page cache' }).click()
  await expect.poll(isEnabled).toBe(false)
  expect(complaints).toEqual([])
})

test('replacing a site requires its name, and the failed step is shown', async () => {
  const site = await newSite(deployed)
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${site.id}/wordpress`)
  const archive = { name: '<b>blog</b>.zip', mimeType: 'application/zip', buffer: Buffer.alloc(300_000, 'PK') }
  await page.getByLabel('Archive to import').setInputFiles(archive)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('<b>blog</b>.zip').waitFor()
  expect(await dialog.getByRole('button', { name: 'Replace site' }).isDisabled()).toBe(true)
  expect(await importsOf(site.id)).toEqual([])
  await dialog.getByRole('textbox').fill(site.name)
  await dialog.getByRole('button', { name: 'Replace site' }).click()
  await expect.poll(async () => (await importsOf(site.id))[0]?.step).toBe('CHECKING')
  const now = page.locator('li[aria-current=step]')
  await expect.poll(() => now.innerText()).toBe('Checking')
  expect(await page.getByRole('button', { name: 'Choose archive' }).isDisabled()).toBe(true)
  await setImport(site.id, { step: 'LOADING', files: 12, tables: 3 })
  await expect.poll(() => now.innerText()).toBe('Loading the database')
  await page.getByText('12 files and 3 tables so far').waitFor()
  const errorMessage = 'The dump has <script>no end</script>.'
  await setImport(site.id, { status: 'FAILED', errorCode: 'WORDPRESS_IMPORT_FAILED', errorMessage })
  await page.getByText('Import failed at “Loading the database”').waitFor()
  await expect.poll(() => page.getByText(errorMessage).count()).toBe(1)
  await expect.poll(() => page.getByRole('button', { name: 'Choose archive' }).isEnabled()).toBe(true)
  expect(complaints).toEqual([])
})

test('an import started in another window is followed to its end', async () => {
  const site = await newSite()
  await pages.panel.deps.db.insert(wordpressImports).values({ id: newId(), projectId: site.id, userId: ann.user.id, step: 'UNPACKING' }) // oxfmt-ignore
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${site.id}/wordpress`)
  await page.getByText('0 files and 0 tables so far').waitFor()
  await setImport(site.id, {
    status: 'SUCCEEDED',
    step: 'DONE',
    files: 1_204,
    tables: 12,
    notes: ['1 view was left out']
  })
  await page.getByText('1,204 files and 12 tables imported').waitFor()
  await page.getByText('1 view was left out').waitFor()
  expect(complaints).toEqual([])
})
