import { afterAll, beforeAll, expect, test } from 'vitest'
import { banGuessers } from '../../packages/server/src/features/bans/banning.service.ts'
import { createMemoryServerBans, type MemoryServerBans } from '../../packages/server/test/fakes/memory-server-bans.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let serverBans: MemoryServerBans
let admin: Client
beforeAll(async () => {
  serverBans = createMemoryServerBans()
  pages = await startPages({}, { serverBans })
  admin = await pages.panel.signUp('ada')
})
afterAll(() => pages?.close())

test('bans appear, are found, added and removed', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/firewall')
  await page.getByRole('link', { name: 'Bans' }).click()
  await page.getByText('No bans').waitFor()
  await banGuessers(pages.panel.deps, [{ address: '192.0.2.1', service: 'SFTP', attempts: 10 }])
  await page.getByText('10 attempts').waitFor()
  await page.getByRole('button', { name: 'Ban address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('192.0.2.0/24')
  await dialog.getByRole('button', { name: 'Ban address' }).click()
  await dialog.getByText('Must be an IP address such as').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByLabel('Address').fill('192.0.2.2')
  await dialog.getByLabel('Note').fill('Crawler')
  await dialog.getByRole('button', { name: 'Ban address' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect([...serverBans.banned.keys()]).toEqual(['192.0.2.1', '192.0.2.2'])
  await page.getByLabel('Search addresses and notes').fill('crawl')
  await page.getByText('192.0.2.1', { exact: true }).waitFor({ state: 'hidden' })
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove the ban of 192.0.2.2' }).click()
  await page.getByText('192.0.2.2 can connect again').waitFor()
  expect([...serverBans.banned.keys()]).toEqual(['192.0.2.1'])
  expect(complaints).toEqual([])
})

test('the allow list ends bans', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/firewall/bans')
  await page.getByLabel('Address or network').fill('192.0.2.0/24')
  await page.getByRole('button', { name: 'Add to allow list' }).click()
  await page.getByText('192.0.2.0/24 is on the allow list').waitFor()
  await page.getByText('No bans').waitFor()
  expect(serverBans.banned.size).toBe(0)
  await page.getByRole('button', { name: 'Remove 192.0.2.0/24 from the allow list' }).click()
  await page.getByText('192.0.2.0/24 is no longer on the allow list').waitFor()
  expect(complaints).toEqual([])
})
