import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Project } from '@panel/contract/projects'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { wordpressTasks } from '../../packages/server/src/db/schema/wordpress-care.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
let site: Project
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
  site = await ann.createProject({ type: 'WORDPRESS' })
  const deployed = { deployedAt: new Date(), deployedDomain: 'blog.apps.example.com' }
  await pages.panel.deps.db.update(projects).set(deployed).where(eq(projects.id, site.id))
})
afterAll(() => pages?.close())

const state = {
  site: {
    coreVersion: '6.8.1',
    phpVersion: '8.2.1',
    components: [
      { kind: 'CORE', id: 'core', name: 'WordPress', version: '6.8.1', newVersion: null, isActive: true },
      { kind: 'PLUGIN', id: 'shop/shop.php', name: '<i>Shop</i>', version: '1.0', newVersion: '1.1', isActive: true }
    ],
    administrators: ['ann'],
    canSignIn: true
  },
  unavailable: null,
  error: null,
  updatePolicy: 'OFF',
  nextUpdateAt: null,
  maintenance: false,
  debugLog: false,
  cron: { checkedAt: null, nextEventAt: null, lateSince: '2026-01-01T00:00:00.000Z' },
  task: null
}

async function openSite() {
  const opened = await pages.open(ann)
  await opened.page.route('**/wordpress', (route) =>
    route.request().url().includes('/api/') ? route.fulfill({ json: state }) : route.fallback()
  )
  return opened
}

test('a site shows its updates, late events and settings', async () => {
  const { page, complaints } = await openSite()
  await page.goto(`/projects/${site.id}/wordpress`)
  await page.getByText('<i>Shop</i>').waitFor()
  await page.getByText('events of WordPress are late').waitFor()
  const sent = page.waitForRequest((request) => request.url().endsWith('/wordpress/updates'))
  await page.route('**/wordpress/updates', (route) => route.fulfill({ status: 409, json: { error: 'The site is stopped', code: 'CONFLICT' } })) // oxfmt-ignore
  await page.getByRole('button', { name: 'Update <i>Shop</i>' }).click()
  expect((await sent).postDataJSON()).toEqual({ components: [{ kind: 'PLUGIN', id: 'shop/shop.php' }] })
  await page.getByRole('alert').filter({ hasText: 'The site is stopped' }).waitFor()
  expect(await page.getByRole('button', { name: 'Replace text' }).isDisabled()).toBe(true)
  expect(complaints).toEqual([])
})

test('a task that was rolled back says why', async () => {
  await pages.panel.deps.db.insert(wordpressTasks).values({
    id: newId(),
    projectId: site.id,
    userId: ann.user.id,
    kind: 'UPDATE',
    trigger: 'MANUAL',
    status: 'ROLLED_BACK',
    step: 'DONE',
    problem: [{ code: 'PAGE_BROKEN', values: { component: '<b>Shop</b>', path: '/' } }]
  })
  const { page, complaints } = await openSite()
  await page.goto(`/projects/${site.id}/wordpress`)
  await page
    .getByRole('alert')
    .filter({ hasText: 'After the update of <b>Shop</b>, / ended in a fatal error' })
    .waitFor()
  expect(complaints).toEqual([])
})

test('a site that does not run says so', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${site.id}/wordpress`)
  await page.getByText('The site is not running').waitFor()
  expect(complaints).toEqual([])
})
