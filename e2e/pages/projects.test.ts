import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
beforeAll(async () => {
  pages = await startPages()
})
afterAll(() => pages?.close())

test('a project that another window makes appears by itself', async () => {
  const ann = await pages.panel.signUp('ann')
  const { page, complaints } = await pages.open(ann)
  await page.goto('/projects')
  await page.getByText('No project yet').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await ann.createProject({ name: 'shop' })
  await page.getByRole('link', { name: 'shop' }).waitFor()
  expect(complaints).toEqual([])
})
