import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '../../packages/server/src/db/schema/projects.ts'
import { environmentOf, openEnvironment } from '../../packages/server/src/features/env-vars/environment.service.ts'
import { createMemoryGit } from '../../packages/server/test/fakes/memory-git.ts'
import { type Client, password } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

// Panel clock: a confirmed password expires.
let aheadMs = 0
let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages({}, { git: createMemoryGit(), now: () => new Date(Date.now() + aheadMs) })
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

const valuesOf = async (id: string) => environmentOf((await openEnvironment(pages.panel.deps, id)).variables, 'web')
const revealsOf = async () => (await pages.panel.audited({ action: 'env_var.revealed' })).length

async function newProject(variables: Record<string, string>) {
  const { id } = await ann.createProject({ gitUrl: 'https://github.com/acme/shop' })
  await ann.request('POST', `/api/projects/${id}/env`, {
    variables: Object.entries(variables).map(([key, value]) => ({ key, value }))
  })
  return id
}

async function prove(page: Page) {
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel(/^Password for/).fill(password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
}

test('a value is revealed after the password, which covers several rows', async () => {
  const id = await newProject({ API_KEY: 'the first secret', OTHER: 'a\nsecond' })
  aheadMs += 20 * 60_000
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/variables`)
  await page.getByRole('button', { name: 'Show API_KEY' }).click()
  await prove(page)
  await page.getByText('the first secret', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show OTHER' }).click()
  await expect.poll(() => page.getByLabel('Value of OTHER').innerText()).toBe('a\nsecond')
  expect(await revealsOf()).toBe(2)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Hide OTHER' }).click()
  expect(await page.getByLabel('Value of OTHER').count()).toBe(0)
  await ann.request('POST', `/api/projects/${id}/env`, { key: 'API_KEY', value: 'another' })
  await expect.poll(() => page.getByText('the first secret').count()).toBe(0)
  await page.reload()
  await page.getByRole('button', { name: 'Show API_KEY' }).waitFor()
  expect(await page.content()).not.toContain('another')
  aheadMs += 20 * 60_000
  await page.getByRole('button', { name: 'Show API_KEY' }).click()
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('button', { name: 'Close' }).click()
  await page.getByText('Nothing was changed').waitFor()
  expect(await revealsOf()).toBe(2)
  expect(complaints).toEqual([])
})

test('a value is edited in place, and focus stays in the table', async () => {
  const id = await newProject({ A: 'one', B: 'two', C: 'three' })
  const { page, complaints } = await pages.open(await pages.panel.signIn(ann.user.email))
  await page.goto(`/projects/${id}/variables`)
  await page.getByRole('button', { name: 'Edit B' }).click()
  const form = page.getByRole('form', { name: 'Edit B' })
  await expect.poll(() => form.getByLabel('Value', { exact: true }).inputValue()).toBe('two')
  await form.getByLabel('Value', { exact: true }).press('Escape')
  const edit = page.getByRole('button', { name: 'Edit B' })
  await expect.poll(() => edit.evaluate((button) => button.matches(':focus'))).toBe(true)
  await edit.press('Enter')
  await form.getByLabel('Value', { exact: true }).fill('changed')
  await form.getByLabel('Mask in logs').uncheck()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => valuesOf(id)).toEqual({ A: 'one', B: 'changed', C: 'three' })
  await expect.poll(() => edit.evaluate((button) => button.matches(':focus'))).toBe(true)
  const { variables } = (await ann.request('GET', `/api/projects/${id}/env`)).json()
  expect(variables).toMatchObject([{ sensitive: true }, { key: 'B', sensitive: false }, { sensitive: true }])
  await page.getByRole('button', { name: 'Delete B' }).press('Enter')
  const next = page.getByRole('button', { name: 'Delete C' })
  await expect.poll(() => next.evaluate((button) => button.matches(':focus'))).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Delete B' }).waitFor()
  await page.getByRole('button', { name: 'Delete B' }).click()
  await expect.poll(() => valuesOf(id)).toEqual({ A: 'one', C: 'three' })
  expect(complaints).toEqual([])
})

test('a variable saved again while its deletion is pending stays', async () => {
  const id = await newProject({ A: 'one', B: 'two' })
  const { page } = await pages.open(ann)
  await page.goto(`/projects/${id}/variables`)
  await page.getByRole('button', { name: 'Delete A' }).click()
  const form = page.getByRole('form', { name: 'Add variable' })
  await form.getByLabel('Name').fill('A')
  await form.getByLabel('Value', { exact: true }).fill('again')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A saved').waitFor()
  await page.getByRole('button', { name: 'Delete A' }).waitFor()
  expect(await valuesOf(id)).toEqual({ A: 'again', B: 'two' })
})

test('all variables are exported after the password', async () => {
  const id = await newProject({ HASH: 'abc #def', PLAIN: 'x' })
  aheadMs += 20 * 60_000
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/variables`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export .env' }).click()
  await prove(page)
  expect(await text(await (await download).createReadStream())).toBe("HASH='abc #def'\nPLAIN=x\n")
  expect(complaints).toEqual([])
})

test('a pasted file is previewed by line before it is saved', async () => {
  const id = await newProject({ A: 'old', B: 'old' })
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/variables`)
  const form = page.getByRole('form', { name: 'Paste .env file' })
  const file = '# of the shop\nA=new\nnot a line\nNEW="of\nlines"\n'
  await form.getByLabel('File content').fill(file)
  await form.getByRole('button', { name: 'Preview changes' }).click()
  const of = (name: string) => form.getByRole('region', { name, exact: true }).getByRole('listitem').allInnerTexts()
  await expect.poll(() => of('Added')).toEqual([expect.stringMatching(/^Line 4\s+NEW$/)])
  expect(await of('Replaced')).toEqual([expect.stringMatching(/^Line 2\s+A$/)])
  expect(await of('Skipped')).toEqual([expect.stringMatching(/^Line 3\s+is not in the form/)])
  expect(await valuesOf(id)).toEqual({ A: 'old', B: 'old' })
  expect(await accessibilityProblems(page)).toEqual([])
  await form.getByRole('button', { name: 'Edit file' }).click()
  expect(await form.getByLabel('File content').inputValue()).toBe(file)
  await form.getByLabel('Replace existing variables').uncheck()
  await form.getByRole('button', { name: 'Preview changes' }).click()
  await expect.poll(() => of('Kept')).toEqual([expect.stringMatching(/^Line 2\s+A$/)])
  await form.getByRole('button', { name: 'Import' }).click()
  await form.getByText('1 variable saved').waitFor()
  expect(await valuesOf(id)).toEqual({ A: 'old', B: 'old', NEW: 'of\nlines' })
  expect(complaints).toEqual([])
})

test('pending changes are marked and deployed with one click', async () => {
  const id = await newProject({ OLD: 'x' })
  await pages.panel.deps.db.update(projects).set({ deployedAt: pages.panel.deps.now() }).where(eq(projects.id, id))
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  await page.goto(`/projects/${id}/variables`)
  await page.getByRole('button', { name: 'Show OLD' }).waitFor()
  expect(await page.getByText('Pending deployment', { exact: true }).count()).toBe(0)
  await ann.request('POST', `/api/projects/${id}/env`, { key: 'NEW', value: 'y' })
  await page.getByText('1 variable changed since the last deployment').waitFor()
  await page.getByRole('row', { name: /NEW/ }).getByText('Pending deployment').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('status').getByRole('button', { name: 'Deploy' }).click()
  await page.waitForURL(`**/projects/${id}/deployments?d=*`)
  expect(complaints).toEqual([])
})
