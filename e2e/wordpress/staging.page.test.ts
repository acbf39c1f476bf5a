import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Project } from '@panel/contract/projects'
import type { WordpressState } from '@panel/contract/wordpress-care'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { wordpressSites, wordpressTasks } from '../../packages/server/src/db/schema/wordpress-care.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { lookAt, settle } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
let site: Project
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
  site = await ann.createProject({ type: 'WORDPRESS', name: 'blog' })
  await deployed(site.id)
})
afterAll(() => pages?.close())

const deployed = (id: string) =>
  pages.panel.deps.db
    .update(projects)
    .set({ containerId: 'running', deployedAt: new Date(), deployedDomain: 'blog.apps.example.com' })
    .where(eq(projects.id, id))

const plugin = { kind: 'PLUGIN', newVersion: null, isActive: true } as const
const state: WordpressState = {
  site: {
    coreVersion: '6.8.1',
    phpVersion: '8.2.1',
    components: [
      { kind: 'CORE', id: 'core', name: 'WordPress', version: '6.8.1', newVersion: '6.8.2', isActive: true },
      { ...plugin, id: 'shop/shop.php', name: 'Shop', version: '9.4.1', newVersion: '9.5.0' },
      { ...plugin, id: 'forms/forms.php', name: 'Forms', version: '5.9' }
    ],
    administrators: ['ann'],
    canSignIn: true
  },
  unavailable: null,
  error: null,
  updatePolicy: 'SECURITY',
  nextUpdateAt: '2026-01-02T02:00:00.000Z',
  maintenance: false,
  debugLog: false,
  cron: { checkedAt: null, nextEventAt: '2026-01-01T00:00:00.000Z', lateSince: null },
  task: null
}

/** The real API, but for what WordPress itself reports. */
async function open() {
  const opened = await pages.open(ann)
  await opened.page.route('**/wordpress', (route) =>
    route.request().url().includes('/api/') ? route.fulfill({ json: state }) : route.fallback()
  )
  return opened
}

test('a site gets a staging copy, which is pushed back', async () => {
  const { page, complaints } = await open()
  await page.goto(`/projects/${site.id}/wordpress`)
  for (const name of ['Page cache', 'Updates', 'Staging', 'Site settings'])
    await page.getByRole('heading', { name, exact: true }).waitFor()
  await page.getByText('9.5.0').waitFor()
  await settle(page)
  expect(await lookAt(page, 'wordpress', 0)).toEqual([])
  await page.getByRole('button', { name: 'Make a staging copy' }).click()
  const link = page.getByRole('link', { name: 'blog-staging' })
  await link.waitFor()
  expect(await lookAt(page, 'wordpress with a copy', 1)).toEqual([])

  const { db } = pages.panel.deps
  const [copy] = await db.select().from(wordpressSites).where(eq(wordpressSites.stagingOf, site.id))
  await deployed(copy!.projectId)
  await link.click()
  await page.getByText('This is a staging copy of').waitFor()
  const push = page.getByRole('button', { name: 'Push to blog' })
  expect(await push.isDisabled()).toBe(true)
  expect(await lookAt(page, 'new staging copy', 2)).toEqual([])
  await db
    .update(wordpressTasks)
    .set({ status: 'SUCCEEDED', step: 'DONE' })
    .where(eq(wordpressTasks.projectId, copy!.projectId))
  await expect.poll(() => push.isEnabled()).toBe(true)
  await page.getByLabel('Database').uncheck()
  await push.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('blog')
  expect(await lookAt(page, 'push', 3)).toEqual([])
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const [pushed] = await db.select().from(wordpressTasks).where(eq(wordpressTasks.projectId, site.id))
  expect(pushed?.copy).toEqual({ fromProjectId: copy!.projectId, files: true, database: false })
  expect(complaints).toEqual([])
})

test('a push can be undone', async () => {
  const undoUntil = new Date(Date.now() + 3600_000)
  const { db } = pages.panel.deps
  await db.delete(wordpressTasks).where(eq(wordpressTasks.projectId, site.id))
  await db.insert(wordpressTasks).values({
    ...{ id: newId(), projectId: site.id, userId: ann.user.id, kind: 'COPY', trigger: 'MANUAL', status: 'SUCCEEDED' },
    ...{ step: 'DONE', undoUntil, copy: { fromProjectId: site.id, files: true, database: true } }
  })
  const { page, complaints } = await open()
  await page.goto(`/projects/${site.id}/wordpress`)
  await page.getByText('Can be undone until').waitFor()
  await settle(page)
  expect(await lookAt(page, 'wordpress after a push', 4)).toEqual([])
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Puts back the files and the database').waitFor()
  await dialog.getByRole('textbox').fill('blog')
  expect(await lookAt(page, 'undo', 5)).toEqual([])
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undo: Waiting').waitFor()
  expect(await undo.isDisabled()).toBe(true)
  expect(complaints).toEqual([])
})
