import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorWordsIn } from '../../packages/dashboard/src/operator-words.fixture.ts'
import { lookAt, settle, visibleTexts } from '../support/look.ts'
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
/** One page of each kind of control, for the outline of what has the focus. */
const withOutlines = [
  '/projects',
  '/projects/$projectId/deployments',
  '/projects/$projectId/files?path=public&open=public/index.php',
  '/projects/$projectId/settings',
  '/domains/$domainId/dns',
  '/mail/$mailboxId/reply',
  '/server/audit'
]

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

/** Records the path and search of each fetch. */
const rememberFetches = `
  window.fetched = []
  const { fetch: send } = window
  window.fetch = (input, options) => {
    const { pathname, search } = new URL(input.url ?? input, location.href)
    fetched.push(pathname + search)
    return send(input, options)
  }`

/** Preloads that the page does not request itself, or that were sent twice. */
async function wastedPreloads(page: Page, sent: readonly string[]): Promise<{ preloads: number; wasted: string[] }> {
  const urls = await page
    .locator('link[rel=preload][as=fetch]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
  const fetched = await page.evaluate<string[]>('fetched')
  const timesIn = (list: readonly string[], url: string) => list.filter((each) => each === url).length
  const wasted = urls.filter((url) => !fetched.includes(url) || timesIn(sent, url) > timesIn(fetched, url))
  return { preloads: urls.length, wasted }
}

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

async function outlinesMissing(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  // :focus-visible applies only after a key press.
  await page.keyboard.press('Tab')
  const found = await page.evaluate<string[]>(withoutOutline)
  await page.emulateMedia({ forcedColors: 'none' })
  return found
}

test(
  'every page is accessible, fits the window, has its own title and tells nobody to edit a file',
  { timeout: 1_200_000 },
  async () => {
    const opened = await Promise.all([pages.open(), pages.open(sample.admin)])
    const found: unknown[] = []
    const titles = new Map<string, string>()
    let withOwnPreloads = 0
    const sent: string[] = []
    for (const { page } of opened) {
      await page.addInitScript(rememberFetches)
      page.on('request', (request) => sent.push(request.url().slice(pages.url.length)))
    }
    for (const [position, address] of addresses.entries()) {
      const { page } = opened[strangers.test(address) ? 0 : 1]
      sent.length = 0
      await page.goto(pathIn(sample, address))
      await settle(page)
      const { preloads, wasted } = await wastedPreloads(page, sent)
      // The frame of the dashboard has two.
      if (preloads > 2) {
        withOwnPreloads++
        for (const url of wasted) found.push([address, 'preloaded for nothing', url])
      }
      for (const word of (await page.evaluate<string[]>(visibleTexts)).flatMap(operatorWordsIn))
        found.push([address, word])
      found.push(...(await lookAt(page, address === '/' ? 'overview' : address, position)))
      titles.set(new URL(page.url()).pathname, await page.title())
      if (withOutlines.includes(address))
        for (const element of await outlinesMissing(page)) found.push([address, 'no outline', element])
    }
    expect(found).toEqual([])
    expect(withOwnPreloads).toBeGreaterThan(15)
    const own = [...titles].filter(([, title]) => !title.startsWith('You do not have access'))
    expect(own.filter(([, title]) => own.filter(([, other]) => other === title).length > 1)).toEqual([])
    expect(opened.flatMap(({ complaints }) => complaints)).toEqual([])
  }
)

const stylesOf = (page: Page) =>
  page.locator('link[rel=stylesheet]').evaluateAll((links) => links.map((link) => link.getAttribute('href')!))

test('preloaded styles have the order in which the page itself would load them', async () => {
  const { page } = await pages.open(sample.admin)
  const alike = (list: readonly string[], other: readonly string[]) => list.filter((each) => other.includes(each))
  for (const address of ['/', '/domains/$domainId/dns', '/server/users/$userId']) {
    const path = pathIn(sample, address)
    await page.goto(path)
    await settle(page)
    const named = await stylesOf(page)
    await page.route(`${pages.url}${path}`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/(\/index-[\w-]+\.css">)[^]*<\/head>/, '$1</head>')
      await route.fulfill({ response: answer, body })
    })
    await page.goto(path)
    await settle(page)
    const loaded = await stylesOf(page)
    expect(loaded.length).toBeGreaterThan(3)
    expect(alike(named, loaded), address).toEqual(alike(loaded, named))
  }
})

test('preloads of protected pages require a session', async () => {
  const textOf = async (path: string, headers = {}) =>
    (await fetch(`${pages.url}${path}`, { headers: { accept: 'text/html', ...headers } })).text()
  const { cookie } = sample.admin
  expect(await textOf('/projects')).not.toMatch(/as="fetch"|\/assets\/shell-/)
  expect(await textOf('/projects', { cookie })).toMatch(
    /<link rel="preload" as="fetch" crossorigin href="\/api\/projects\?page=1&amp;/
  )
  expect(await textOf('/projects/%22%3E%3Cscript%3E', { cookie })).not.toMatch(/as="fetch"|%22/)
})
