import type { ServerSettings } from '@panel/contract/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

const token = 'hunter2'.repeat(6)
let pages: Pages
let admin: Client
beforeAll(async () => {
  pages = await startPages({ ALERT_DISK_PERCENT: '77', METRICS_TOKEN: token })
  admin = await pages.panel.signUp('ada')
})
afterAll(() => pages?.close())

const settings = async () => (await admin.request('GET', '/api/system/settings')).json<ServerSettings>()
const valueOf = async (name: string) => (await settings()).variables?.find((each) => each.name === name)?.value

test('a setting is changed, validated by the server, audited and reset', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/settings')
  await page.getByLabel('Search settings').fill('alert_cpu')
  const row = page.getByRole('row', { name: /ALERT_CPU_PERCENT/ })
  await expect.poll(() => page.getByRole('row', { name: /ALERT_/ }).count()).toBe(1)
  await row.getByText('Default').waitFor()
  await row.getByRole('button', { name: 'Change CPU alert' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByLabel('Value')
  await field.fill('many')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  expect(await accessibilityProblems(page)).toEqual([])
  await field.fill('66')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Changed here').waitFor()
  expect(await valueOf('ALERT_CPU_PERCENT')).toBe('66')
  expect(await pages.panel.audited({ action: 'settings.changed' })).toHaveLength(1)
  await row.getByRole('button', { name: 'Change CPU alert' }).click()
  await dialog.getByRole('button', { name: 'Reset to 80' }).click()
  await row.getByText('Default').waitFor()
  expect(await valueOf('ALERT_CPU_PERCENT')).toBe('80')
  expect(complaints).toEqual([])
})

test('environment settings are read-only, and secrets are never shown', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/settings?show=all&q=ALERT_DISK_PERCENT')
  const row = page.getByRole('row', { name: /ALERT_DISK_PERCENT/ })
  await row.getByText('Read-only: it is set in the environment').waitFor()
  expect(await row.innerText()).toContain('77')
  expect(await row.getByRole('button').count()).toBe(0)
  await page.goto('/server/settings?show=all&q=METRICS_TOKEN')
  await page
    .getByRole('row', { name: /METRICS_TOKEN/ })
    .getByText('Set (hidden)')
    .waitFor()
  expect(await page.content()).not.toContain(token)
  expect(complaints).toEqual([])
})

test('the time zone is an IANA name', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/settings')
  const section = page.getByRole('region', { name: 'Time zone' })
  const field = section.getByLabel('Time zone')
  await field.fill('Mars/Olympus')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await field.fill('Europe/Berlin')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await settings()).timezone).toBe('Europe/Berlin')
  expect(complaints).toEqual([])
})

test('a component that is down shows its remedy and links to the page that helps', async () => {
  const { page } = await pages.open(admin)
  const nameServer = { status: 'unreachable', remedy: 'Look at the log' }
  const sentences = [{ code: 'START_ENGINE' }]
  const containerEngine = { status: 'unreachable', remedy: 'Check the socket in Settings → Containers', sentences }
  const parts = { store: { status: 'ok' }, nameServer, containerEngine }
  await page.route('**/api/health', (route) => route.fulfill({ json: { status: 'ok', version: '1.0.0', parts } }))
  await page.goto('/server/settings')
  const row = page.getByRole('row', { name: /Name server/ })
  await expect.poll(() => row.innerText()).toMatch(/Not responding[^]*Look at the log$/)
  await page.getByRole('row', { name: /ALLOW_REGISTRATION/ }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page
    .getByRole('row', { name: /Container engine/ })
    .getByRole('link', { name: 'Open settings' })
    .click()
  await page.waitForURL('**/server/settings/containers')
  await page.getByRole('row', { name: /DOCKER_SOCKET/ }).waitFor()
})
