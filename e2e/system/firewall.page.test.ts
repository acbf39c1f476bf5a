import { readFile } from 'node:fs/promises'
import type { FirewallState } from '@panel/contract/firewall'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { firewalls } from '../../packages/server/src/db/schema/firewalls.ts'
import {
  createMemoryServerFirewall,
  type MemoryServerFirewall
} from '../../packages/server/test/fakes/memory-server-firewall.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let serverFirewall: MemoryServerFirewall
let admin: Client
beforeAll(async () => {
  serverFirewall = createMemoryServerFirewall()
  pages = await startPages({ FIREWALL_CONFIRM_SECONDS: '600' }, { serverFirewall })
  admin = await pages.panel.signUp('ada')
})
afterAll(() => pages?.close())
beforeEach(async () => {
  await serverFirewall.apply(undefined)
  await pages.panel.deps.db.delete(firewalls)
})

const read = async () => (await admin.request('GET', '/api/firewall')).json<FirewallState>()
// The browser reports each attempt to confirm over an older connection.
const relevant = (complaints: readonly string[]) => complaints.filter((text) => !text.includes('status of 409'))

test('rules are added, ordered, applied on trial, and kept over a new connection', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/firewall')
  await page.getByText('No rules yet').waitFor()
  await page.getByRole('button', { name: 'Allow Websites and panel' }).click()
  await page.getByRole('button', { name: 'Add rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Source').fill('example.com')
  await dialog.getByLabel('Ports').fill('22, 8000-8100')
  await dialog.getByLabel('Note').fill('Office')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByText('Must be an IP address such as').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByLabel('Source').fill('203.0.113.0/24')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Move rule 2 up' }).click()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByText('Firewall rules saved').waitFor()
  expect((await read()).rules.map(({ note, ports }) => [note, ports])).toEqual([
    ['Office', ['22', '8000-8100']],
    ['Websites and panel', ['80', '443']]
  ])
  expect(serverFirewall.ruleset).toBeUndefined()

  await page.getByRole('button', { name: 'Enable firewall' }).click()
  await page.getByText('The new rules are in force.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(serverFirewall.ruleset?.rules).toHaveLength(2)
  await page.getByRole('button', { name: 'Keep rules' }).click()
  await page.getByText('Firewall rules kept').waitFor()
  expect(await read()).toMatchObject({ enabled: true, pending: null })

  await page.getByRole('button', { name: 'Disable firewall' }).click()
  await page.getByText('Firewall disabled').waitFor()
  expect(serverFirewall.ruleset).toBeUndefined()
  expect(relevant(complaints)).toEqual([])
})

test('a change is reverted, by hand or by the server', async () => {
  const { page } = await pages.open(admin)
  await page.goto('/server/firewall')
  const enable = page.getByRole('button', { name: 'Enable firewall' })
  await enable.click()
  await page.getByRole('button', { name: 'Revert now' }).click()
  await page.getByText('Firewall rules reverted').waitFor()
  await enable.click()
  await page.getByRole('button', { name: 'Revert now' }).waitFor()
  await admin.request('POST', '/api/firewall/revert')
  await enable.waitFor()
  expect(serverFirewall.ruleset).toBeUndefined()
})

test('rules are exported and imported', async () => {
  const { page, complaints } = await pages.open(admin)
  await page.goto('/server/firewall')
  await page.getByRole('button', { name: 'Allow DNS' }).click()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByText('Firewall rules saved').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export rules' }).click()
  const path = await (await downloading).path()
  const document = JSON.parse(await readFile(path, 'utf8')) as { rules: { note: string }[] }
  document.rules[0]!.note = 'Name servers'
  const choose = async (text: string) =>
    page.getByLabel('File with firewall rules').setInputFiles({ name: 'firewall.json', mimeType: 'application/json', buffer: Buffer.from(text) }) // oxfmt-ignore
  await choose('{"rules": []}')
  await page.getByText('This file has no firewall rules in it.').waitFor()
  await choose(JSON.stringify(document))
  await page.getByText('Firewall rules imported').waitFor()
  expect((await read()).rules).toMatchObject([{ note: 'Name servers', protocol: 'TCP_UDP', ports: ['53'] }])
  expect(relevant(complaints)).toEqual([])
})
