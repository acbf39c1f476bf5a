import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookAt, settle, widen } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample, pathIn, type Sample } from '../support/sample.ts'

const overlays: readonly (readonly [address: string, button: string | RegExp])[] = [
  ['/', 'Account menu'],
  ['/', /Search/],
  ['/', /unread/],
  ['/projects', 'Actions of storefront'],
  ['/projects/$projectId/settings', 'Delete project'],
  ['/projects/$projectId/files', 'New file'],
  ['/projects/$projectId/files', 'Actions of package.json'],
  ['/projects/$projectId/processes', 'Add worker'],
  ['/projects/$projectId/volumes', 'Add volume'],
  ['/projects/$projectId/tcp-ports', 'Publish port'],
  ['/projects/$projectId/jobs', 'Add job'],
  ['/projects/$projectId/jobs', 'Run command'],
  ['/projects/$projectId/uptime', 'Add check'],
  ['/domains', 'Add domain'],
  ['/domains/$domainId', 'Remove domain'],
  ['/domains/$domainId/dns', 'Import'],
  ['/domains/$domainId/dns', 'Default records'],
  ['/domains/$domainId/dns', /Propagation of www/],
  ['/domains/$domainId/rules', 'Add rule'],
  ['/domains/$domainId/rules', 'Edit rule 2'],
  ['/databases', 'Add database'],
  ['/databases/$databaseId', 'Delete database'],
  ['/mail', 'Add mailbox'],
  ['/mail/aliases', 'Add alias'],
  ['/mail/$mailboxId', 'Delete mailbox'],
  ['/server/users', 'Add user'],
  ['/server/users/$userId', 'Delete account'],
  ['/server/firewall', 'Add rule'],
  ['/server/firewall/bans', 'Ban address'],
  ['/server/backups', 'Add target'],
  ['/server/machines', 'Add machine'],
  ['/server/disk', 'Clean up'],
  ['/server/settings', 'Change Log level'],
  ['/account/security', 'Set up two-factor'],
  ['/account/tokens', 'Create token'],
  ['/account/notifications/channels', 'Add channel']
]

let pages: Pages
let sample: Sample
beforeAll(async () => {
  pages = await startPages({
    DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net',
    PUBLIC_IP: '203.0.113.1',
    TCP_PORTS: '20000-20009'
  })
  sample = await fillSample(pages.panel)
})
afterAll(() => pages?.close())

test('every overlay is accessible and within the viewport', { timeout: 1_200_000 }, async () => {
  const { page, complaints } = await pages.open(sample.admin)
  const found: unknown[] = []
  for (const [position, [address, button]] of overlays.entries()) {
    await widen(page, 1440)
    await page.goto(pathIn(sample, address))
    await settle(page)
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor()
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
    found.push(...(await lookAt(page, `over ${address} ${String(button)}`, position)))
  }
  expect(found).toEqual([])
  expect(complaints.filter((text) => !text.includes('status of 503'))).toEqual([])
})
