import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DnsRecord } from '@panel/contract/dns-records'
import { addManagedDomain, fillZone } from '../../packages/server/test/support/domains.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
beforeAll(async () => {
  pages = await startPages({ DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', PUBLIC_IP: '203.0.113.1' })
  ann = await pages.panel.signUp('ann')
})
afterAll(() => pages?.close())

test('records are added, changed where they stand, and deleted with a way back', async () => {
  const { id } = await addManagedDomain(ann, 'records.example.com')
  const recordsOf = async () => {
    const records = (await ann.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>()
    return records.filter(({ name }) => name.startsWith('note')).map(({ name, value }) => [name, value])
  }
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  const form = page.getByRole('form', { name: 'Add record' })
  await form.getByLabel('Type').selectOption('TXT')
  await form.getByLabel('Name').fill('note')
  await form.getByLabel('Value').fill('"><img src=x onerror=alert(1)>')
  await form.getByRole('button', { name: 'Add record' }).click()
  await expect.poll(recordsOf).toEqual([['note', '"><img src=x onerror=alert(1)>']])
  await page.getByRole('button', { name: 'Edit note TXT' }).click()
  const edit = page.getByRole('form', { name: 'Edit note TXT' })
  await edit.getByLabel('Value').fill('changed')
  await edit.getByLabel('Value').press('Enter')
  await expect.poll(recordsOf).toEqual([['note', 'changed']])
  // Taken back: nothing was asked of the server.
  await page.getByRole('button', { name: 'Delete note TXT' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Delete note TXT' }).waitFor()
  expect(await recordsOf()).toHaveLength(1)
  await page.getByRole('button', { name: 'Delete note TXT' }).click()
  await expect.poll(recordsOf).toEqual([])
  expect(complaints).toEqual([])
})

test('what the server refuses stands at its field, and nothing is lost', async () => {
  const { id } = await addManagedDomain(ann, 'refused.example.com')
  const { page } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  const form = page.getByRole('form', { name: 'Add record' })
  await form.getByLabel('Name').fill('www')
  await form.getByLabel('Value').fill('not an address')
  await form.getByRole('button', { name: 'Add record' }).click()
  await expect.poll(() => form.locator('[aria-invalid=true], [role=alert]').count()).toBeGreaterThan(0)
  expect(await form.getByLabel('Value').inputValue()).toBe('not an address')
})

test('of 1,500 records only those in sight are drawn, and all are found', async () => {
  const { id } = await addManagedDomain(ann, 'large.example.com')
  await fillZone(pages.panel, id, 1_500, (n) => ({ name: `host-${n}`, type: 'A', value: `203.0.113.${n % 250}` }))
  const { page } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('cell', { name: 'host-0', exact: true }).waitFor()
  expect(await page.locator('tbody tr').count()).toBeLessThan(80)
  await page.getByLabel('Search name or value').fill('host-1499')
  await page.getByRole('cell', { name: 'host-1499', exact: true }).waitFor()
})

test('a zone file is shown as what it would change, by line, before anything is written', async () => {
  const { id } = await addManagedDomain(ann, 'import.example.com')
  const namesOf = async () =>
    (await ann.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>().map(({ name, type }) => `${name} ${type}`)
  const before = await namesOf()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const file = 'api 300 IN A 192.0.2.9\nbad 300 IN A nonsense\n@ 3600 IN A 203.0.113.1\nwww 300 IN A 192.0.2.1\n'
  await dialog.getByLabel('Zone file').fill(file)
  await dialog.getByRole('button', { name: 'Show what would change' }).click()
  const of = (name: string) => dialog.getByRole('region', { name, exact: true }).getByRole('listitem').allInnerTexts()
  await expect.poll(() => of('Added')).toEqual([expect.stringMatching(/Line 1\s+api 300 A 192\.0\.2\.9/)])
  expect(await of('Refused')).toEqual([expect.stringMatching(/^Line 2\s/)])
  expect(await of('There already')).toEqual([expect.stringMatching(/^Line 3\s/)])
  expect(await of('Yours stays')).toEqual([expect.stringMatching(/^Line 4\s/)])
  expect(await namesOf()).toEqual(before)
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Back to the file' }).click()
  expect(await dialog.getByLabel('Zone file').inputValue()).toBe(file)
  await dialog.getByLabel('Records that are there already').selectOption('replace')
  await dialog.getByRole('button', { name: 'Show what would change' }).click()
  await expect.poll(() => of('Taken away')).toEqual([expect.stringMatching(/^www 3600 CNAME /)])
  await dialog.getByRole('button', { name: 'Import it' }).click()
  await dialog.getByText('2 records are imported.').waitFor()
  expect(await namesOf()).toEqual(expect.arrayContaining(['api A', 'www A']))
  expect(complaints).toEqual([])
})

test('records that are the panel’s own are marked, and not offered to be changed', async () => {
  const { id } = await addManagedDomain(ann, 'marked.example.com')
  const { page } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  await page.getByText('Proves that the domain is yours').waitFor()
  expect(await page.getByText('A name server of this panel').count()).toBe(2)
  expect(await page.getByRole('button', { name: /^Edit .*(NS|_panel-challenge)/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Edit @ A' }).waitFor()
})
