import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { addManagedDomain } from '../../packages/server/test/support/domains.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ada: Client
let ann: Client
beforeAll(async () => {
  pages = await startPages()
  ada = await pages.panel.signUp('ada')
  ann = await pages.panel.createUser(ada, { name: 'Ann', maxProjects: 1, maxDomains: 0, maxDatabases: 0, maxMailboxes: 0 }) // oxfmt-ignore
})
afterAll(() => pages?.close())

async function takeAway(page: Page, ...parts: string[]) {
  const isUnavailable = new Set(parts)
  const health = (await ada.request('GET', '/api/health')).json<{ parts: Record<string, object> }>()
  await page.route('**/api/health', (route) =>
    route.fulfill({
      json: {
        ...health,
        parts: {
          ...health.parts,
          ...Object.fromEntries(
            [...isUnavailable].map((part) => [part, { status: 'unreachable', remedy: `Start ${part}` }])
          )
        }
      }
    })
  )
  return { bringBack: () => isUnavailable.clear() }
}
const main = (page: Page) => page.locator('main')

test('pages name a component that is down, show administrators the remedy and disable their actions', async () => {
  const { id } = await ada.createProject({ name: 'waits' })
  await pages.panel.deps.db.update(projects).set({ containerStatus: 'running' }).where(eq(projects.id, id))
  const domain = await addManagedDomain(ada, 'waits.example.com')
  const { page, complaints } = await pages.open(ada)
  await page.clock.install()
  const server = await takeAway(page, 'containerEngine', 'nameServer', 'postgresql', 'mysql', 'sftpServer', 'worker')
  for (const [path, part, action] of [
    [`/projects/${id}`, 'containerEngine', 'Deploy'],
    [`/projects/${id}/deployments`, 'containerEngine', 'Restart'],
    [`/projects/${id}/files`, 'worker', undefined],
    [`/projects/${id}/databases`, 'postgresql', undefined],
    ['/databases', 'mysql', 'Add database'],
    [`/domains/${domain.id}/dns`, 'nameServer', 'Add record'],
    ['/sftp', 'sftpServer', 'Set up SFTP']
  ] as const) {
    await page.goto(path)
    await main(page).getByText(`Start ${part}`).waitFor()
    if (action === undefined) continue
    expect(await main(page).getByRole('button', { name: action, exact: true }).isDisabled(), path).toBe(true)
  }
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(`/projects/${id}`)
  await main(page).getByText('The container engine is not responding').waitFor()
  server.bringBack()
  await page.clock.fastForward('00:31')
  await expect.poll(() => main(page).getByText('The container engine is not responding').count()).toBe(0)
  expect(await main(page).getByRole('button', { name: 'Deploy', exact: true }).isEnabled()).toBe(true)
  expect(complaints).toEqual([])
})

test('a notice asks users to wait while a component is down; an error response updates it at once', async () => {
  const client = await pages.panel.createUser(ada, { name: 'Bea', maxProjects: 3 })
  const { id } = await client.createProject({ name: 'theirs' })
  const { page } = await pages.open(client)
  await page.goto(`/projects/${id}`)
  await main(page).getByRole('button', { name: 'Deploy', exact: true }).waitFor()
  await takeAway(page, 'containerEngine')
  const body = { error: 'The container engine does not answer', code: 'CONTAINER_ENGINE_UNAVAILABLE' }
  await page.route('**/build', (route) => route.fulfill({ status: 503, json: body }))
  await main(page).getByRole('button', { name: 'Deploy', exact: true }).click()
  await main(page).getByText('contact your administrator').waitFor()
  expect(await main(page).getByText('Start containerEngine').count()).toBe(0)
})

test('an exhausted quota is shown at the button; resources with quota 0 are not in the navigation', async () => {
  await ann.createProject({ name: 'the-only-one' })
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects')
  await page.getByRole('link', { name: 'the-only-one' }).waitFor()
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Projects' }).waitFor()
  for (const name of ['Domains', 'Databases', 'Mail'])
    expect(await nav.getByRole('link', { name, exact: true }).count(), name).toBe(0)
  const note = page.getByRole('dialog', { name: 'Quota reached' })
  const usage = page.waitForResponse('**/api/users/me/usage')
  await page.reload()
  await usage
  await page.getByRole('link', { name: 'New project' }).click()
  await note.getByText('1 of 1').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await note.getByRole('button', { name: 'Close' }).last().click()
  expect(new URL(page.url()).pathname).toBe('/projects')
  const again = page.waitForResponse('**/api/users/me/usage')
  await page.goto('/domains')
  await again
  await page.getByRole('button', { name: 'Add domain' }).click()
  await note.getByText('Your account has no quota for this').waitFor()
  expect(complaints).toEqual([])
})
