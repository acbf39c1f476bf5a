import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DnsRecord } from '@panel/contract/dns-records'
import { addManagedDomain, dnsServerOf, fillZone, publicDnsOf } from '../../packages/server/test/support/domains.ts'
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

test('records are added, edited in place and deleted with undo; those of the panel are read-only', async () => {
  const { id } = await addManagedDomain(ann, 'records.example.com')
  const recordsOf = async () => {
    const records = (await ann.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>()
    return records.filter(({ name }) => name.startsWith('note')).map(({ name, value }) => [name, value])
  }
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  await page.getByText('Domain verification').waitFor()
  expect(await page.getByText('Name server of this panel').count()).toBe(2)
  expect(await page.getByRole('button', { name: /^Edit .*(NS|_panel-challenge)/ }).count()).toBe(0)
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
  await page.getByRole('button', { name: 'Delete note TXT' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Delete note TXT' }).waitFor()
  expect(await recordsOf()).toHaveLength(1)
  await page.getByRole('button', { name: 'Delete note TXT' }).click()
  await expect.poll(recordsOf).toEqual([])
  expect(complaints).toEqual([])
})

test('of 1,500 records only visible ones are rendered, and all are found', async () => {
  const { id } = await addManagedDomain(ann, 'large.example.com')
  await fillZone(pages.panel, id, 1_500, (n) => ({ name: `host-${n}`, type: 'A', value: `203.0.113.${n % 250}` }))
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('cell', { name: 'host-0', exact: true }).waitFor()
  expect(await page.locator('tbody tr').count()).toBeLessThan(80)
  for (const share of [0.3, 0.5, 0.9]) {
    await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${share})`)
    const rowsAt = () =>
      page.evaluate(`[40, innerHeight / 2, innerHeight - 10].map((y) => {
        const row = [...document.querySelectorAll('tbody tr')].find((each) => {
          const { top, bottom } = each.getBoundingClientRect()
          return top <= y && y < bottom
        })
        return row?.querySelectorAll('td').length
      })`)
    await expect.poll(rowsAt).toEqual([5, 5, 5])
    expect(await page.locator('tbody tr').count()).toBeLessThan(80)
  }
  await page.getByLabel('Search name or value').fill('host-1499')
  await page.getByRole('cell', { name: 'host-1499', exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('records are cards on a phone, edited without horizontal scrolling', async () => {
  const { id } = await addManagedDomain(ann, 'phone.example.com')
  const name = 'selector-of-a-service-with-a-very-long-name._domainkey'
  await ann.request('POST', `/api/domains/${id}/dns`, { type: 'TXT', name, value: `v=DKIM1; p=${'x'.repeat(400)}` })
  const { page, complaints } = await pages.open(ann, { width: 360, height: 740 })
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('button', { name: `Edit ${name} TXT` }).waitFor()
  const sideways = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect([await sideways(), await accessibilityProblems(page)]).toEqual([0, []])
  await page.getByRole('button', { name: `Edit ${name} TXT` }).click()
  await page.getByRole('form', { name: `Edit ${name} TXT` }).waitFor()
  expect([await sideways(), await accessibilityProblems(page)]).toEqual([0, []])
  expect(complaints).toEqual([])
})

test('default records are previewed, and only missing ones are created', async () => {
  const { id } = await addManagedDomain(ann, 'usual.example.com')
  const recordsOf = async () => (await ann.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>()
  const www = (await recordsOf()).find(({ name }) => name === 'www')!
  await ann.request('DELETE', `/api/domains/${id}/dns/${www.id}`)
  const before = (await recordsOf()).length
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('button', { name: 'Default records' }).click()
  const dialog = page.getByRole('dialog', { name: 'Default records' })
  const of = (name: string) => dialog.getByRole('region', { name, exact: true }).getByRole('listitem').allInnerTexts()
  await expect.poll(() => of('Added')).toEqual(['www 3600 CNAME usual.example.com'])
  expect(await of('Unchanged')).toContain('@ A')
  expect(await accessibilityProblems(page)).toEqual([])
  expect(await recordsOf()).toHaveLength(before)
  await dialog.getByRole('button', { name: 'Add records' }).click()
  await page.getByText('Records added').waitFor()
  await page.getByRole('button', { name: 'Edit www CNAME' }).waitFor()
  expect(await recordsOf()).toHaveLength(before + 1)
  await page.getByRole('button', { name: 'Default records' }).click()
  await dialog.getByText('Unchanged').waitFor()
  expect(await dialog.getByRole('button', { name: 'Add records' }).isDisabled()).toBe(true)
  expect(complaints).toEqual([])
})

test('a mail provider template is previewed as changes', async () => {
  const { id } = await addManagedDomain(ann, 'template.example.com')
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  const dialog = page.getByRole('dialog')
  const of = (name: string) => dialog.getByRole('region', { name, exact: true }).getByRole('listitem').allInnerTexts()
  await page.getByRole('button', { name: 'Import zone file' }).click()
  await dialog.getByLabel('Template').selectOption({ label: 'Fastmail (mail)' })
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await expect.poll(async () => (await of('Added')).length).toBe(6)
  expect((await of('Added')).join()).toMatch(/CNAME fm1\.template\.example\.com\.dkim\.fmhosted\.com/)
  expect(await of('Rejected')).toEqual([])
  expect(complaints).toEqual([])
})

test('a zone file import is previewed by line before it is applied', async () => {
  const { id } = await addManagedDomain(ann, 'import.example.com')
  const namesOf = async () =>
    (await ann.request('GET', `/api/domains/${id}/dns`)).json<DnsRecord[]>().map(({ name, type }) => `${name} ${type}`)
  const before = await namesOf()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('button', { name: 'Import zone file' }).click()
  const dialog = page.getByRole('dialog')
  const file = 'api 300 IN A 192.0.2.9\nbad 300 IN A nonsense\n@ 3600 IN A 203.0.113.1\nwww 300 IN A 192.0.2.1\n'
  await dialog.getByLabel('Zone file').fill(file)
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  const of = (name: string) => dialog.getByRole('region', { name, exact: true }).getByRole('listitem').allInnerTexts()
  await expect.poll(() => of('Added')).toEqual([expect.stringMatching(/Line 1\s+api 300 A 192\.0\.2\.9/)])
  expect(await of('Rejected')).toEqual([expect.stringMatching(/^Line 2\s/)])
  expect(await of('Unchanged')).toEqual([expect.stringMatching(/^Line 3\s/)])
  expect(await of('Kept')).toEqual([expect.stringMatching(/^Line 4\s/)])
  expect(await namesOf()).toEqual(before)
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Back to zone file' }).click()
  expect(await dialog.getByLabel('Zone file').inputValue()).toBe(file)
  await dialog.getByLabel('Existing records').selectOption('replace')
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await expect.poll(() => of('Removed')).toEqual([expect.stringMatching(/^www 3600 CNAME /)])
  await dialog.getByRole('button', { name: 'Import records' }).click()
  await dialog.getByText('2 records imported').waitFor()
  expect(await namesOf()).toEqual(expect.arrayContaining(['api A', 'www A']))
  expect(complaints).toEqual([])
})

test('DNSSEC is enabled with the DS record to set; disabling it while the DS is published requires the name', async () => {
  const { id, hostname } = await addManagedDomain(ann, 'signed.example.com')
  const digest = 'AB'.repeat(32)
  dnsServerOf(pages.panel).ds.set(hostname, [{ keyTag: 12345, algorithm: 13, digestType: 2, digest }])
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/dns`)
  await page.getByRole('button', { name: 'Enable DNSSEC' }).click()
  await page.getByText(`12345 13 2 ${digest}`, { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(dnsServerOf(pages.panel).served.get(hostname)?.isSigned).toBe(true)
  publicDnsOf(pages.panel).set(hostname, 'DS', [`12345 13 2 ${digest}`])
  await page.getByRole('button', { name: 'Disable DNSSEC' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disable DNSSEC anyway' })
  await dialog.getByText('The parent zone still has a DS record').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(dnsServerOf(pages.panel).served.get(hostname)?.isSigned).toBe(true)
  const off = dialog.getByRole('button', { name: 'Disable DNSSEC' })
  expect(await off.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill(hostname)
  await off.click()
  await page.getByRole('button', { name: 'Enable DNSSEC' }).waitFor()
  expect([await dialog.count(), dnsServerOf(pages.panel).served.get(hostname)?.isSigned]).toEqual([0, false])
  await page.getByRole('button', { name: 'Enable DNSSEC' }).click()
  await page.getByRole('button', { name: 'Disable DNSSEC' }).waitFor()
  publicDnsOf(pages.panel).set(hostname, 'DS', [])
  await page.getByRole('button', { name: 'Disable DNSSEC' }).click()
  await page.getByRole('button', { name: 'Enable DNSSEC' }).waitFor()
  expect(dnsServerOf(pages.panel).served.get(hostname)?.isSigned).toBe(false)
  expect(complaints).toEqual([])
})
