import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages({}, { git: createMemoryGit() })
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

const auditOf = async (id: string) => (await pages.panel.audited({ targetId: id })).map(({ action }) => action)

test('the secret of the webhook comes when it is asked for, and looking at a project writes nothing down', async () => {
  const { id } = await ann.createProject({ name: 'shop' })
  const connected = await ann.request('POST', `/api/projects/${id}/git/connect`, {
    gitUrl: 'https://github.com/owner/shop'
  })
  const { webhookSecret: secret } = connected.json<{ webhookSecret: string }>()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/settings`)
  await page.getByRole('button', { name: 'Show the secret' }).waitFor()
  // Each change is an event, after which the page asks for the project again.
  for (const name of ['shop-one', 'shop-two', 'shop-three']) {
    await ann.request('PUT', `/api/projects/${id}`, { name })
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }
  expect(await page.content()).not.toContain(secret)
  expect(await auditOf(id)).not.toContain('git.webhook_secret_shown')
  await page.getByRole('button', { name: 'Show the secret' }).click()
  await page.getByText(secret, { exact: true }).waitFor()
  expect((await auditOf(id)).filter((action) => action === 'git.webhook_secret_shown')).toHaveLength(1)
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByText('is refused from now on').waitFor()
  await expect.poll(() => page.getByText(secret, { exact: true }).count()).toBe(0)
  const { webhookSecret: next } = (await ann.request('GET', `/api/projects/${id}/git`)).json<{
    webhookSecret: string
  }>()
  await page.getByText(next, { exact: true }).waitFor()
  // Of this page alone.
  await page.reload()
  await page.getByRole('button', { name: 'Show the secret' }).waitFor()
  expect(await page.content()).not.toContain(next)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints).toEqual([])
})
