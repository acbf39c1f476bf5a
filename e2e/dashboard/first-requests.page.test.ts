import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboardDirectory } from '../../packages/server/src/http/dashboard.ts'
import type { FirstRequests } from '../../packages/server/src/http/first-requests.ts'
import { settle } from '../support/look.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { fillSample, pathIn, type Sample } from '../support/sample.ts'

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

/** Records the path and search of each fetch. */
const rememberFetches = `
  window.fetched = []
  const { fetch: send } = window
  window.fetch = (input, options) => {
    const { pathname, search } = new URL(input.url ?? input, location.href)
    fetched.push(pathname + search)
    return send(input, options)
  }`

test('preloads match the requests of a page, without duplicates', async () => {
  const all = JSON.parse(await readFile(join(dashboardDirectory, 'first-requests.json'), 'utf8')) as FirstRequests[]
  const [{ asksAround: ofFrame }] = all.filter(({ path }) => path === '/projects') as [FirstRequests]
  const withAsks = all.filter(({ asksAround, asks }) => asksAround.length > ofFrame.length || asks.length > 0)
  expect(withAsks.length).toBeGreaterThan(15)
  const { page, complaints } = await pages.open(sample.admin)
  await page.addInitScript(rememberFetches)
  for (const { path, asksAround, asks } of withAsks) {
    const sent: string[] = []
    const note = (request: { url(): string }) => sent.push(request.url().slice(pages.url.length))
    page.on('request', note)
    await page.goto(pathIn(sample, path))
    await settle(page)
    page.off('request', note)
    const html = await page.content()
    const named = [...asksAround, ...asks].map((ask) => pathIn(sample, ask))
    const fetched = await page.evaluate<string[]>('fetched')
    expect(
      named.filter((url) => !html.includes(`href="${url.replaceAll('&', '&amp;')}"`)),
      path
    ).toEqual([])
    const timesIn = (list: readonly string[], url: string) => list.filter((each) => each === url).length
    expect(named.filter((url) => !fetched.includes(url)), path).toEqual([]) // oxfmt-ignore
    expect(named.filter((url) => timesIn(sent, url) > timesIn(fetched, url)), path).toEqual([]) // oxfmt-ignore
  }
  expect(complaints).toEqual([])
})

const stylesOf = (page: Page) =>
  page.locator('link[rel=stylesheet]').evaluateAll((links) => links.map((link) => link.getAttribute('href')!))

test.each([
  '/',
  '/projects',
  '/projects/$projectId/deployments',
  '/domains/$domainId/dns',
  '/mail',
  '/server/users/$userId'
])('styles of %s load in the right order', async (address) => {
  const path = pathIn(sample, address)
  const { page } = await pages.open(sample.admin)
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
  const alike = (list: readonly string[], other: readonly string[]) => list.filter((each) => other.includes(each))
  expect(alike(named, loaded)).toEqual(alike(loaded, named))
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
