import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RemedyCode, remedyTexts } from '@panel/contract/remedy-texts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorWordsIn } from '../../packages/dashboard/src/operator-words.fixture.ts'
import { newDatabase } from '../../packages/server/test/support/databases.ts'
import { addVerifiedDomain } from '../../packages/server/test/support/domains.ts'
import { newMailbox } from '../../packages/server/test/support/mail.ts'
import type { Client } from '../../packages/server/test/support/panel.ts'
import { lookAt, settle } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample, pathIn, type Sample } from '../support/sample.ts'

const dashboard = fileURLToPath(new URL('../../packages/dashboard/src/', import.meta.url))

const addresses = [
  '/login',
  '/forgot-password',
  '/reset-password',
  '/register',
  '/setup',
  '/continue',
  '/',
  '/welcome',
  '/projects',
  '/projects/new',
  '/projects/new?from=files',
  '/projects/new?from=wordpress',
  '/projects/$projectId',
  '/projects/$projectId/deployments',
  '/projects/$projectId/logs',
  '/projects/$projectId/files',
  '/projects/$projectId/files?path=public&open=public/index.php',
  '/projects/$wordpressId/wordpress',
  '/projects/$projectId/variables',
  '/projects/$projectId/domains',
  '/projects/$projectId/databases',
  '/projects/$projectId/backups',
  '/projects/$projectId/processes',
  '/projects/$projectId/volumes',
  '/projects/$projectId/tcp-ports',
  '/projects/$projectId/jobs',
  '/projects/$projectId/monitoring',
  '/projects/$projectId/uptime',
  '/projects/$projectId/uptime?d=$checkId',
  '/projects/$projectId/terminal',
  '/projects/$projectId/settings',
  '/site-check',
  '/device',
  '/domains',
  '/domains/routes',
  '/domains/$domainId',
  '/domains/$domainId/certificate',
  '/domains/$domainId/dns',
  '/domains/$domainId/rules',
  '/domains/$domainId/mail',
  '/domains/$partnerId/mail',
  '/databases',
  '/databases/$databaseId',
  '/sftp',
  '/mail',
  '/mail/aliases',
  '/mail/deleted',
  '/mail/queue',
  '/mail/log',
  '/mail/$mailboxId',
  '/mail/$mailboxId/forwarding',
  '/mail/$mailboxId/reply',
  '/mail/$mailboxId/import',
  '/mail/$mailboxId/backups',
  '/server/users',
  '/server/users/$userId',
  '/customers',
  '/customers/$userId',
  '/server/firewall',
  '/server/firewall/bans',
  '/server/backups',
  '/server/machines',
  '/server/machines/$machineId',
  '/server/disk',
  '/server/audit',
  '/server/settings',
  '/server/settings/$group',
  '/server/monitoring',
  '/account',
  '/account/profile',
  '/account/security',
  '/account/tokens',
  '/account/registries',
  '/account/variable-groups',
  '/account/variable-groups/$groupId',
  '/account/usage',
  '/account/activity',
  '/account/notifications',
  '/account/notifications/channels',
  '/account/notifications/sent'
]
const strangers = /^\/(login|forgot-password|reset-password|register|setup|continue)/

let pages: Pages
let sample: Sample
beforeAll(async () => {
  pages = await startPages({
    DNS_NAMESERVERS: 'ns1.example.net,ns2.example.net',
    PUBLIC_IP: '203.0.113.1',
    PANEL_DOMAIN: 'panel.example.com'
  })
  sample = await fillSample(pages.panel)
})
afterAll(() => pages?.close())

test('the list contains every route', async () => {
  const files = (await readdir(dashboard, { recursive: true })).filter((file) => file.endsWith('.routes.ts'))
  const sources = await Promise.all(files.map((file) => readFile(join(dashboard, file), 'utf8')))
  const paths = sources.flatMap((source) => [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path!))
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !addresses.some((address) => `${address}/`.endsWith(path === '/' ? '/' : `${path.replace(/^\/?/, '/')}/`)))).toEqual([]) // oxfmt-ignore
})

test('every page is accessible and within the viewport, in both themes', { timeout: 1_200_000 }, async () => {
  const opened = await Promise.all([pages.open(), pages.open(sample.admin)])
  const found: unknown[] = []
  const titles = new Map<string, string>()
  for (const [position, address] of addresses.entries()) {
    const { page } = opened[strangers.test(address) ? 0 : 1]
    await page.goto(pathIn(sample, address))
    await settle(page)
    found.push(...(await lookAt(page, address === '/' ? 'overview' : address, position)))
    titles.set(new URL(page.url()).pathname, await page.title())
  }
  expect(found).toEqual([])
  const own = [...titles].filter(([, title]) => !title.startsWith('You do not have access'))
  expect(own.filter(([, title]) => own.filter(([, other]) => other === title).length > 1)).toEqual([])
  expect(opened.flatMap(({ complaints }) => complaints)).toEqual([])
})

/** What is visible, except for what is meant to be copied or comes from programs. */
const visibleTexts = `(() => {
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode
    if (!parentElement.closest('code, pre, script, style, textarea, [role=log], .cm-editor') && parentElement.checkVisibility())
      texts.push(data)
  }
  return texts
})()`

/** Every component is down, and every remedy is shown. */
async function breakEverything(page: Page): Promise<void> {
  const down = (code: RemedyCode) => ({
    status: 'unreachable',
    remedy: remedyTexts[code],
    sentences: [{ code }]
  })
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

/** The sample, with things of the account itself where it has none. */
async function sampleOf(client: Client): Promise<Sample> {
  if (client === sample.admin) return sample
  const name = client === sample.reseller ? 'nord' : 'laden'
  const { id: projectId } = await client.createProject({ name, type: 'STATIC' })
  const { id: domainId } = await addVerifiedDomain(client, `${name}.example.org`, { projectId })
  const { id: databaseId } = await newDatabase(client, { name, projectId })
  const { id: mailboxId } = await newMailbox(client, domainId, { localPart: name })
  return { ...sample, projectId, domainId, databaseId, mailboxId, userId: sample.customer.user.id }
}

test.each(['admin', 'reseller', 'customer'] as const)(
  'no page of the %s tells to set a variable, edit a file or call the API',
  { timeout: 600_000 },
  async (role) => {
    const own = await sampleOf(sample[role])
    const { page } = await pages.open(sample[role])
    await breakEverything(page)
    const found: unknown[] = []
    let links = 0
    for (const address of addresses.filter((each) => !strangers.test(each))) {
      await page.goto(pathIn(own, address))
      await settle(page)
      const texts = await page.evaluate<string[]>(visibleTexts)
      for (const word of texts.flatMap(operatorWordsIn)) found.push([address, word])
      links += await page.getByRole('link', { name: 'Open settings' }).count()
    }
    expect(found).toEqual([])
    expect(links > 0).toBe(role === 'admin')
  }
)
