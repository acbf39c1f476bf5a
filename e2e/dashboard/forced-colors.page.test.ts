import { afterAll, beforeAll, expect, test } from 'vitest'
import { settle } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample, pathIn, type Sample } from '../support/sample.ts'

const addresses = [
  '/projects',
  '/projects/$projectId/deployments',
  '/projects/$projectId/files?path=public&open=public/index.php',
  '/projects/$projectId/settings',
  '/domains/$domainId/dns',
  '/domains/$domainId/certificate',
  '/mail/$mailboxId/reply',
  '/server/users/$userId',
  '/server/audit',
  '/account/notifications/channels'
]

let pages: Pages
let sample: Sample
beforeAll(async () => {
  pages = await startPages({ DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', PUBLIC_IP: '203.0.113.1' })
  sample = await fillSample(pages.panel)
})
afterAll(() => pages?.close())

/** Elements with keyboard focus but no visible outline on themselves or, for hidden inputs, next to them. */
const withoutOutline = `(() => {
  const isOutlined = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  }
  const found = []
  for (const element of document.querySelectorAll('a[href], button, input, select, textarea, [tabindex], [contenteditable]')) {
    if (element.tabIndex < 0 || element.disabled || element.getClientRects().length === 0) continue
    element.focus()
    if (document.activeElement !== element) continue
    const around = [element, element.parentElement, ...element.parentElement.children]
    if (!around.some(isOutlined)) found.push(element.outerHTML.slice(0, 150))
  }
  return found
})()`

test('focus is visible with forced colors', { timeout: 600_000 }, async () => {
  const { page } = await pages.open(sample.admin)
  await page.emulateMedia({ forcedColors: 'active' })
  const found: unknown[] = []
  for (const address of addresses) {
    await page.goto(pathIn(sample, address))
    await settle(page)
    // :focus-visible applies only after a key press.
    await page.keyboard.press('Tab')
    for (const element of await page.evaluate<string[]>(withoutOutline)) found.push([address, element])
  }
  expect(found).toEqual([])
})
