import { type RemedyCode, remedyTexts } from '@panel/contract/remedy-texts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorWordsIn } from '../../packages/dashboard/src/operator-words.fixture.ts'
import { isThorough, lookAt, settle, visibleTexts, widen } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample, pathIn, type Sample } from '../support/sample.ts'

/** Pages that differ in how they show an error. */
const addresses = [
  '/',
  '/projects',
  '/projects/$projectId',
  '/projects/$projectId/deployments',
  '/projects/$projectId/files',
  '/projects/$projectId/monitoring',
  '/projects/$projectId/settings',
  '/domains/$domainId',
  '/domains/$domainId/dns',
  '/mail/$mailboxId',
  '/server/audit',
  '/server/settings'
]
const lists = [
  '/',
  '/projects',
  '/domains',
  '/domains/routes',
  '/databases',
  '/sftp',
  '/mail',
  '/server/users',
  '/account/tokens',
  '/account/registries',
  '/account/notifications'
]
const ofTheFrame = /\/api\/(auth\/(config|me)|health|users\/me\/usage|notifications\/unread)/

let pages: Pages
let sample: Sample
beforeAll(async () => {
  pages = await startPages({ DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net', PUBLIC_IP: '203.0.113.1' })
  sample = await fillSample(pages.panel)
})
afterAll(() => pages?.close())

const isRequested = (url: URL) => url.pathname.startsWith('/api/') && !ofTheFrame.test(url.pathname)

async function checkAll(page: Page, state: string, paths: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = []
  for (const [position, address] of paths.entries()) {
    await widen(page, 1440)
    await page.goto(pathIn(sample, address))
    await settle(page)
    found.push(...(await lookAt(page, `${state} ${address}`, position)))
  }
  return found
}

test('error pages are accessible', { timeout: 600_000 }, async () => {
  const refusals = [
    { state: 'error', status: 400, code: 'INTERNAL' },
    { state: 'forbidden', status: 403, code: 'FORBIDDEN_ROLE' },
    { state: 'gone', status: 404, code: 'NOT_FOUND' }
  ]
  const found: unknown[] = []
  for (const [turn, { state, status, code }] of refusals.entries()) {
    const { page, complaints } = await pages.open(sample.admin)
    const json = { error: 'Something was not as it should be, and this is a sentence of the server about it', code }
    await page.route(isRequested, (route) => route.fulfill({ status, json }))
    const some = addresses.filter((_address, position) => isThorough || position % refusals.length === turn)
    found.push(...(await checkAll(page, state, some)), ...complaints)
  }
  expect(found).toEqual([])
})

test('every list of an empty account is accessible', { timeout: 600_000 }, async () => {
  const nobody = await pages.panel.createUser(sample.admin, { name: 'Nele', role: 'RESELLER' })
  const { page, complaints } = await pages.open(nobody)
  expect(await checkAll(page, 'empty', lists)).toEqual([])
  expect(complaints).toEqual([])
})

/** Every component is down, and every remedy is shown. */
async function breakEverything(page: Page): Promise<void> {
  const down = (code: RemedyCode) => ({ status: 'unreachable', remedy: remedyTexts[code], sentences: [{ code }] })
  const parts = {
    ...Object.fromEntries((Object.keys(remedyTexts) as RemedyCode[]).map((code) => [code, down(code)])),
    containerEngine: down('START_ENGINE'),
    postgresql: down('RUN_UP_OR_CHECK_SERVER'),
    nameServer: down('RUN_UP_OR_ASK'),
    sftpServer: down('RUN_UP_OR_CHECK_SFTP'),
    worker: down('RESTART_WORKER'),
    mailTransfer: down('RUN_UP_OR_ASK')
  }
  await page.route('**/api/health', (route) => route.fulfill({ json: { status: 'ok', version: '1.0.0', parts } }))
}

test(
  'with every component down, pages are accessible, and only administrators are sent to the settings',
  { timeout: 600_000 },
  async () => {
    const found: unknown[] = []
    for (const role of ['admin', 'reseller', 'customer'] as const) {
      const { page, complaints } = await pages.open(sample[role])
      await breakEverything(page)
      let links = 0
      const paths = ['/', '/databases', '/sftp', '/mail', ...(role === 'admin' ? ['/projects/$projectId/files', '/domains/$domainId/dns', '/server/settings'] : [])] // oxfmt-ignore
      for (const [position, address] of paths.entries()) {
        await page.goto(pathIn(sample, address))
        await settle(page)
        const texts = await page.evaluate<string[]>(visibleTexts)
        for (const word of texts.flatMap(operatorWordsIn)) found.push([role, address, word])
        links += await page.getByRole('link', { name: 'Open settings' }).count()
        // The overview also has the parts that are made up here, whose names are too long.
        if (role === 'admin' && address !== '/') found.push(...(await lookAt(page, `away ${address}`, position)))
      }
      expect(links > 0, role).toBe(role === 'admin')
      found.push(...complaints)
    }
    expect(found).toEqual([])
  }
)

test('a page that is still loading is accessible', async () => {
  const { page, complaints } = await pages.open(sample.admin)
  await page.route(isRequested, () => {})
  await page.goto('/projects')
  await page.getByText('Still loading').waitFor()
  expect(await lookAt(page, 'loading /projects', 0)).toEqual([])
  expect(complaints).toEqual([])
})
