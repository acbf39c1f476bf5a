import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createMemoryEngine,
  type MemoryContainerEngine
} from '../../packages/server/test/fakes/memory-container-engine.ts'
import { deployedSite } from '../../packages/server/test/support/deployed-site.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let engine: MemoryContainerEngine
let ann: Client
beforeAll(async () => {
  engine = createMemoryEngine()
  pages = await startPages({}, { engine })
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

test('a terminal shows output, takes keys, and can be left and opened again by keyboard', async () => {
  const { id } = await deployedSite(pages.panel, ann, engine)
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/projects/${id}/terminal`)
  await page.getByRole('button', { name: 'Open terminal' }).click()
  await expect.poll(() => [...engine.terminals.values()].at(-1)?.isRunning).toBe(true)
  const terminal = () => [...engine.terminals.values()].at(-1)!
  expect(terminal().columns).toBeGreaterThan(40)
  const input = page.getByRole('textbox', { name: /^Terminal of / })
  await expect.poll(() => input.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
  await page.keyboard.type('echo hello')
  await page.locator('.xterm-rows').getByText('echo hello').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])

  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('TEXTAREA')

  terminal().program!.end()
  await page.getByText('The shell has ended.').waitFor()
  await page.getByRole('button', { name: 'Open a new terminal' }).click()
  await expect.poll(() => engine.terminals.size).toBe(2)
  // The browser blocks and reports styles without the nonce.
  expect(complaints).toEqual([])
})

test('a code from the command line is shown with what it allows, and confirmed', async () => {
  const payload = { name: 'panel on laptop', scope: 'deploy' }
  const started = await pages.panel.app.inject({ method: 'POST', url: '/api/auth/device', payload })
  const { deviceCode, userCode } = started.json<{ deviceCode: string; userCode: string }>()
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  await page.goto(`/device?code=${userCode}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('panel on laptop').waitFor()
  await page.getByText('View, build, deploy, roll back and restart.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm sign-in' }).click()
  await page.getByText('Return to your terminal').waitFor()
  const taken = await pages.panel.app.inject({
    method: 'POST',
    url: '/api/auth/device/token',
    payload: { deviceCode }
  })
  expect(taken.json()).toMatchObject({ status: 'APPROVED' })
  expect(complaints).toEqual([])
})
