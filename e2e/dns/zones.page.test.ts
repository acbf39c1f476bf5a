import { afterAll, beforeAll, expect, test } from 'vitest'
import { addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import { newMailbox } from '../../packages/server/test/support/mail.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample } from '../support/sample.ts'

// A time zone that no test browser uses.
const timezone = 'Pacific/Kiritimati'
let pages: Pages
let ada: Client
beforeAll(async () => {
  pages = await startPages()
  ada = (await fillSample(pages.panel)).admin
  await ada.request('PATCH', '/api/users/me', { timezone })
})
afterAll(() => pages?.close())

test('typed times use the account’s time zone', async () => {
  const { page } = await pages.open(ada)
  await page.goto('/server/audit')
  const from = page.getByLabel('From')
  await page.getByText(timezone, { exact: true }).first().waitFor()
  await from.fill('2026-01-02T00:30')
  await from.blur()
  await page.waitForURL(/from=/)
  expect(new URL(page.url()).searchParams.get('from')).toContain('2026-01-01T10:30:00.000Z')
  await page.reload()
  expect(await from.inputValue()).toBe('2026-01-02T00:30')

  const { id } = await addVerifiedDomain(ada, 'zones.example.com')
  const mailbox = await newMailbox(ada, id, { localPart: 'far' })
  await page.goto(`/mail/${mailbox.id}/reply`)
  await page.getByLabel('Text').fill('Away')
  const begins = page.getByLabel('From', { exact: true })
  await page.getByText(`In ${timezone}.`).first().waitFor()
  await begins.fill('2026-01-02T00:30')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(
      async () => (await ada.request('GET', `/api/mailboxes/${mailbox.id}/autoreply`)).json<{ from?: string }>().from
    )
    .toBe('2026-01-01T10:30:00.000Z')
  await page.reload()
  expect(await begins.inputValue()).toBe('2026-01-02T00:30')
})

test('a domain switches to managed DNS before it is delegated only if the check is skipped', async () => {
  const { id } = await addVerifiedDomain(ada, 'early.example.info')
  const { page } = await pages.open(ada)
  await page.goto(`/domains/${id}/dns`)
  const change = page.getByRole('button', { name: 'Switch to managed DNS' })
  await change.click()
  await page.getByRole('alert').getByText('skip the delegation check').waitFor()
  await page.getByLabel('Skip the delegation check').check()
  expect(await accessibilityProblems(page)).toEqual([])
  await change.click()
  await page.getByRole('heading', { name: 'Managed DNS' }).waitFor()
  expect(await page.getByLabel('Skip the delegation check').count()).toBe(0)
})

test('charts use the account’s time zone', async () => {
  const { page } = await pages.open(ada)
  // Text painted on a canvas cannot be read from the DOM.
  await page.addInitScript(`
    window.painted = []
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      window.painted.push(text)
      return fillText.call(this, text, ...rest)
    }`)
  await page.goto('/server/monitoring?range=24h')
  await page.getByRole('img').locator('canvas').first().waitFor()
  const painted = () => page.evaluate<string[]>('window.painted')
  const midnight = () => {
    const day = new Intl.DateTimeFormat('en', { timeZone: timezone, day: 'numeric', month: 'short' })
    return day.format(new Date())
  }
  await expect.poll(painted).toContain(midnight())
})
