import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Deployment } from '@panel/contract/deployments'
import type { Project } from '@panel/contract/projects'
import { madeZip } from '../../packages/server/test/fixtures/archive.fixture.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

const archive = {
  name: 'shop.zip',
  mimeType: 'application/zip',
  buffer: madeZip([{ name: 'index.html', content: 'hello' }])
}

test('an archive becomes a site in two steps, and a snapshot is taken', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects/new?from=files')
  await page.getByLabel('Name').fill('my-shop')
  await page.getByLabel('Archive (zip or tar.gz)').setInputFiles(archive)
  await page.getByText('shop.zip').waitFor()
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL(/\/deployments\?d=/)
  const history = page.getByRole('navigation', { name: 'Deployment history' })
  await history.getByText('shop.zip').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Take a snapshot' }).click()
  await expect.poll(() => history.getByRole('listitem').count()).toBe(2)
  const { projects } = (await ann.request('GET', '/api/projects')).json<{ projects: Project[] }>()
  expect(projects).toMatchObject([{ name: 'my-shop', type: 'STATIC', source: 'FILES' }])
  const found = (await ann.request('GET', `/api/projects/${projects[0]!.id}/deployments`)).json()
  expect((found as { deployments: Deployment[] }).deployments).toMatchObject([
    { trigger: 'SNAPSHOT' },
    { trigger: 'UPLOAD', snapshot: { archive: 'shop.zip', files: 1 } }
  ])
  expect(complaints).toEqual([])
})

test('a project changes its source, and a new one without an archive opens its files', async () => {
  const { id } = await ann.createProject({ type: 'STATIC' })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/settings`)
  const source = page.getByLabel('Serve from')
  await source.selectOption('FILES')
  const form = page.locator('form').filter({ has: source })
  await form.getByRole('button', { name: 'Save' }).click()
  const current = async () => (await ann.request('GET', `/api/projects/${id}`)).json<Project>().source
  await expect.poll(current).toBe('FILES')
  await page.goto(`/projects/${id}/deployments`)
  await page.getByRole('button', { name: 'Take a snapshot' }).waitFor()
  await page.goto('/projects/new?from=files')
  await page.getByLabel('Name').fill('by-hand')
  await page.getByLabel('Kind of site').selectOption('PHP')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL(/\/files/)
  const { projects } = (await ann.request('GET', '/api/projects?search=by-hand')).json<{ projects: Project[] }>()
  expect(projects).toMatchObject([{ type: 'PHP', source: 'FILES' }])
  expect(complaints).toEqual([])
})
