import { afterAll, beforeAll, expect, test } from 'vitest'
import { addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { createHandMadeAuthority, type HandMadeAuthority } from '../support/openssl.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
let ann: Client
let authority: HandMadeAuthority
beforeAll(async () => {
  pages = await startPages()
  ann = await pages.panel.signUp('ann')
  authority = await createHandMadeAuthority()
})
afterAll(async () => {
  await pages?.close()
  await authority?.close()
})

test('an uploaded certificate is served, HTTPS is forced, and removing it requires its name', async () => {
  const { id, hostname } = await addVerifiedDomain(ann, 'shop.example.net')
  const stored = async () =>
    (await ann.request('GET', `/api/domains/${id}/ssl`)).json<{ type: string; forceHttps: boolean; code?: string }>()
  const { page, complaints } = await pages.open(ann)
  await page.goto(`/domains/${id}/certificate`)
  await page.getByText('No certificate').waitFor()
  await page.getByRole('button', { name: 'Upload certificate' }).click()
  await page.getByLabel('Certificate and chain (PEM)').fill('none')
  const own = await authority.issue({ names: [hostname], days: 40 })
  await page.getByLabel('Private key (PEM)').fill(own.keyPem)
  await page.getByRole('button', { name: 'Upload certificate' }).click()
  await expect.poll(() => page.locator('[aria-invalid=true]').or(page.getByRole('alert')).count()).toBeGreaterThan(0)
  expect(await page.getByLabel('Private key (PEM)').inputValue()).toBe(own.keyPem)
  await page.getByLabel('Certificate and chain (PEM)').fill(own.chain)
  await page.getByRole('button', { name: 'Upload certificate' }).click()
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await page.getByText(/\b(39|40) days left/).waitFor()
  const { forceHttps } = await stored()
  await page.getByLabel('Redirect HTTP to HTTPS').click()
  await expect.poll(async () => (await stored()).forceHttps).toBe(!forceHttps)
  expect(await page.getByRole('button', { name: 'Renew certificate' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Remove certificate' }).click()
  const sure = page.getByRole('dialog')
  await sure.getByRole('textbox').fill(hostname)
  await sure.getByRole('button', { name: 'Remove certificate' }).click()
  await page.getByText('No certificate').waitFor()
  expect((await stored()).code).toBe('NOT_FOUND')
  expect(complaints).toEqual([])
})
