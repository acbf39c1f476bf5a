import { afterAll, beforeAll, expect, test } from 'vitest'
import { isThorough, lookAt, settle, widen } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample, pathIn, type Sample } from '../support/sample.ts'

type Overlay = readonly [address: string, button: string | RegExp]

const overlays: readonly Overlay[] = [
  ['/', 'Account menu'],
  ['/', /Search/],
  ['/', /unread/],
  ['/projects', 'Actions of storefront'],
  ['/projects/$projectId/files', 'New file'],
  ['/projects/$projectId/files', 'Actions of package.json'],
  ['/projects/$projectId/processes', 'Add worker'],
  ['/projects/$projectId/volumes', 'Add volume'],
  ['/projects/$projectId/tcp-ports', 'Publish port'],
  ['/projects/$projectId/jobs', 'Add job'],
  ['/projects/$projectId/jobs', 'Run command'],
  ['/projects/$projectId/uptime', 'Add check'],
  ['/domains', 'Add domain'],
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
  ['/server/backups', 'Add target'],
  ['/account/security', 'Set up two-factor'],
  ['/account/tokens', 'Create token'],
  ['/account/notifications/channels', 'Add channel']
]

/** The tests of their pages check these; here they are only for pictures. */
const ofOwnTests: readonly Overlay[] = [
  ['/projects/$projectId/settings', 'Delete project'],
  ['/domains/$domainId', 'Remove domain'],
  ['/domains/$domainId/dns', 'Import'],
  ['/domains/$domainId/dns', 'Default records'],
  ['/server/firewall', 'Add rule'],
  ['/server/firewall/bans', 'Ban address'],
  ['/server/machines', 'Add machine'],
  ['/server/disk', 'Clean up'],
  ['/server/settings', 'Change Log level']
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
  const overlay = page.getByRole('dialog').or(page.getByRole('menu')).first()
  let shown: string | undefined
  for (const [position, [address, button]] of [...overlays, ...(isThorough ? ofOwnTests : [])].entries()) {
    await widen(page, 1440)
    if (address === shown) {
      await page.keyboard.press('Escape')
      await overlay.waitFor({ state: 'detached' })
    } else {
      await page.goto(pathIn(sample, address))
      await settle(page)
      shown = address
    }
    await page.getByRole('button', { name: button }).first().click()
    await overlay.waitFor()
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
    found.push(...(await lookAt(page, `over ${address} ${String(button)}`, position)))
  }
  expect(found).toEqual([])
  expect(complaints.filter((text) => !text.includes('status of 503'))).toEqual([])
})
