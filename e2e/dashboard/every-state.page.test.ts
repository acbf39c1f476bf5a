import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isThorough, lookAt, settle, widen } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample, pathIn, type Sample } from '../support/sample.ts'

const addresses = [
  '/',
  '/projects',
  '/projects/$projectId',
  '/projects/$projectId/deployments',
  '/projects/$projectId/files',
  '/projects/$projectId/variables',
  '/projects/$projectId/databases',
  '/projects/$projectId/processes',
  '/projects/$projectId/volumes',
  '/projects/$projectId/tcp-ports',
  '/projects/$projectId/jobs',
  '/projects/$projectId/monitoring',
  '/projects/$projectId/uptime',
  '/projects/$projectId/settings',
  '/domains',
  '/domains/routes',
  '/domains/$domainId',
  '/domains/$domainId/certificate',
  '/domains/$domainId/dns',
  '/domains/$domainId/rules',
  '/domains/$domainId/mail',
  '/databases',
  '/sftp',
  '/mail',
  '/mail/queue',
  '/mail/$mailboxId',
  '/server/users',
  '/server/audit',
  '/server/settings',
  '/server/monitoring',
  '/account/security',
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

const refusals = [
  { state: 'error', status: 400, code: 'INTERNAL' },
  { state: 'forbidden', status: 403, code: 'FORBIDDEN_ROLE' },
  { state: 'gone', status: 404, code: 'NOT_FOUND' }
]

test.each(refusals)('error pages ($state) are accessible', { timeout: 600_000 }, async (refusal) => {
  const { state, status, code } = refusal
  const { page, complaints } = await pages.open(sample.admin)
  const json = { error: 'Something was not as it should be, and this is a sentence of the server about it', code }
  await page.route(isRequested, (route) => route.fulfill({ status, json }))
  const turn = refusals.indexOf(refusal)
  const found = await checkAll(
    page,
    state,
    addresses.filter((_address, position) => isThorough || position % refusals.length === turn)
  )
  expect(found).toEqual([])
  expect(complaints).toEqual([])
})

test('every page of an empty account is accessible', { timeout: 600_000 }, async () => {
  const nobody = await pages.panel.createUser(sample.admin, { name: 'Nele', role: 'RESELLER' })
  const { page, complaints } = await pages.open(nobody)
  const found = await checkAll(
    page,
    'empty',
    addresses.filter((address) => !address.includes('$'))
  )
  expect(found).toEqual([])
  expect(complaints).toEqual([])
})

test('every page is accessible while loading or with components down', { timeout: 600_000 }, async () => {
  const { page, complaints } = await pages.open(sample.admin)
  const unavailable = { status: 'unreachable', remedy: 'Start it: systemctl start what-is-away' }
  const names = ['containerEngine', 'nameServer', 'postgresql', 'mysql', 'sftpServer', 'worker', 'mailTransfer']
  await page.route('**/api/health', async (route) => {
    const health = (await (await route.fetch()).json()) as { parts: Record<string, object> }
    await route.fulfill({ json: { ...health, parts: Object.fromEntries(names.map((name) => [name, unavailable])) } })
  })
  const found = await checkAll(page, 'away', [
    '/projects/$projectId',
    '/projects/$projectId/files',
    '/projects/$projectId/databases',
    '/domains/$domainId/dns',
    '/databases',
    '/sftp',
    '/mail',
    '/server/settings'
  ])
  await page.route(isRequested, () => {})
  await page.goto('/projects')
  await page.getByText('Still loading').waitFor()
  found.push(...(await lookAt(page, 'loading /projects', 0)))
  expect(found).toEqual([])
  expect(complaints).toEqual([])
})
