import { afterAll, beforeAll, expect, test } from 'vitest'
import { addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
let path: string
beforeAll(async () => {
  pages = await startPages({ UPTIME_CHECKS_PER_ACCOUNT: '50' })
  ann = await pages.panel.signUp('ann')
  const { id } = await ann.createProject({ name: 'watched' })
  await addVerifiedDomain(ann, 'watched.example.com', { projectId: id })
  path = `/projects/${id}/uptime`
  for (let number = 1; number <= 21; number++) {
    const body = { name: `check-${String(number).padStart(2, '0')}`, hostname: 'watched.example.com', paused: true }
    const answer = await ann.request('POST', `/api/projects/${id}/uptime-checks`, body)
    if (answer.statusCode !== 201) throw new Error(answer.body)
  }
})
afterAll(() => pages?.close())

test('more than twenty checks are paginated beside an open history', async () => {
  const { page, complaints } = await pages.open(ann)
  await page.goto(path)
  const named = (number: string) => page.getByRole('link', { name: `check-${number}`, exact: true })
  await named('01').waitFor()
  expect(await named('21').count()).toBe(0)
  await page.getByRole('link', { name: 'Next page' }).click()
  await named('21').click()
  await page.getByRole('region', { name: 'History of check-21' }).waitFor()
  await named('21').waitFor()
  expect(await named('01').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a hostname that loads after the dialog opens is offered', async () => {
  const { page } = await pages.open(ann)
  let answer: (() => void) | undefined
  const isRequested = new Promise<void>((requested) => {
    void page.route(/\/api\/domains\?.*status=ACTIVE/, async (route) => {
      requested()
      await new Promise<void>((resolve) => (answer = resolve))
      await route.continue()
    })
  })
  await page.goto(path)
  await page.getByRole('button', { name: 'Add check' }).click()
  const dialog = page.getByRole('dialog')
  await isRequested
  const host = dialog.getByLabel('Hostname')
  expect(await host.inputValue()).toBe('')
  answer?.()
  await expect.poll(() => host.inputValue()).toBe('watched.example.com')
})
