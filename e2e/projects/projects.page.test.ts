import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployments } from '../../packages/server/src/db/schema/deployments.ts'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { newId } from '../../packages/server/src/security/ids.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
beforeAll(async () => {
  pages = await startPages({}, { git: createMemoryGit() })
})
afterAll(() => pages?.close())

type Status = (typeof deployments.$inferInsert)['status']

async function addDeployed(owner: Client, name: string, statuses: readonly Status[]) {
  const { db } = pages.panel.deps
  const { id } = await owner.createProject({ name, gitUrl: `https://github.com/acme/${name}` })
  const ids: string[] = []
  for (const status of statuses) {
    ids.push(newId())
    const row = { id: ids.at(-1)!, projectId: id, userId: owner.user.id, trigger: 'MANUAL', status } as const
    await db.insert(deployments).values(row)
  }
  const values = { containerStatus: 'running', deployedAt: new Date(), deployedDomain: `${name}.apps.example.com` }
  await db.update(projects).set(values).where(eq(projects.id, id))
  return { id, newest: ids.at(-1)! }
}

test('a project created in another window appears live', async () => {
  const ann = await pages.panel.signUp('ann')
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects')
  await page.getByText('No projects yet').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await ann.createProject({ name: 'shop' })
  await page.getByRole('link', { name: 'shop' }).waitFor()
  expect(complaints).toEqual([])
})

test('builds and failed deployments are shown in the list and linked', async () => {
  const bob = await pages.panel.signUp('bob')
  const failed = await addDeployed(bob, 'broken', ['RUNNING', 'FAILED'])
  await addDeployed(bob, 'building', ['BUILDING'])
  await addDeployed(bob, 'well', ['RUNNING'])
  const { page, complaints } = await pages.open(bob)
  await page.goto('/projects')
  const row = (name: string) => page.getByRole('row').filter({ hasText: `${name}.apps.example.com` })
  await row('well').getByText('Running', { exact: true }).waitFor()
  await row('building').getByText('Building', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await row('broken').getByRole('link', { name: 'Running, last deployment failed' }).click()
  await page.waitForURL(`**/projects/${failed.id}/deployments?d=${failed.newest}`)
  await page.getByRole('heading', { level: 1, name: 'broken' }).waitFor()
  expect(await page.getByText('Running, last deployment failed').count()).toBe(1)
  await page.goBack()
  await row('well').getByRole('button', { name: 'Actions of well' }).click()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Deploy' }).click()
  await row('well').getByText('Queued', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('the order is kept in the URL', async () => {
  const eva = await pages.panel.signUp('eva')
  for (const name of ['beer', 'wine', 'apple']) await eva.createProject({ name })
  const { page, complaints } = await pages.open(eva)
  await page.goto('/projects')
  const names = () => page.getByRole('row').getByRole('link').allInnerTexts()
  await expect.poll(names).toEqual(['apple', 'wine', 'beer'])
  await page.getByRole('navigation', { name: 'Sort' }).getByRole('link', { name: 'By name' }).click()
  await expect.poll(names).toEqual(['apple', 'beer', 'wine'])
  expect(new URL(page.url()).searchParams.get('order')).toBe('name')
  await page.reload()
  await expect.poll(names).toEqual(['apple', 'beer', 'wine'])
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('the state filter covers all pages and is kept in the URL', async () => {
  const carl = await pages.panel.signUp('carl')
  await addDeployed(carl, 'oldest-broken', ['FAILED'])
  for (let n = 1; n <= 26; n++) await carl.createProject({ name: `idea-${n}` })
  const { page, complaints } = await pages.open(carl, { width: 360, height: 740 })
  await page.goto('/projects')
  await page.getByRole('link', { name: 'idea-26' }).waitFor()
  await page.getByRole('link', { name: 'Needs attention' }).click()
  await page.getByRole('link', { name: 'oldest-broken', exact: true }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  expect(new URL(page.url()).searchParams.get('state')).toBe('attention')
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await page.getByRole('link', { name: 'Idle' }).click()
  await page.getByText('1–25 of 26').waitFor()
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'idea-1', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Deploying' }).click()
  await page.getByText('No results', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})
