import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** What the program fetches, by path and search. */
const rememberFetches = `
  window.fetched = []
  const { fetch: send } = window
  window.fetch = (input, options) => {
    const { pathname, search } = new URL(input.url ?? input, location.href)
    fetched.push(pathname + search)
    return send(input, options)
  }`

test('what the server names in a page is what the page asks for, and is asked for once', async () => {
  const all = JSON.parse(await readFile(join(dashboardDirectory, 'first-requests.json'), 'utf8')) as FirstRequests[]
  const withAsks = all.filter(({ asksAround, asks }) => asksAround.length > 2 || asks.length > 0)
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
    const named = [...asksAround, ...asks].map((ask) => pathIn(sample, ask))
    const fetched = await page.evaluate<string[]>('fetched')
    const timesIn = (list: readonly string[], url: string) => list.filter((each) => each === url).length
    expect(named.filter((url) => !fetched.includes(url)), path).toEqual([]) // prettier-ignore
    expect(named.filter((url) => timesIn(sent, url) > timesIn(fetched, url)), path).toEqual([]) // prettier-ignore
  }
  expect(complaints).toEqual([])
})

test('a page for somebody names nothing to who has no session, and none can be made up by an address', async () => {
  const textOf = async (path: string) =>
    (await fetch(`${pages.url}${path}`, { headers: { accept: 'text/html' } })).text()
  expect(await textOf('/projects')).not.toMatch(/as="fetch"|\/assets\/shell-/)
  const cookie = sample.admin.cookie
  const mine = async (path: string) =>
    (await fetch(`${pages.url}${path}`, { headers: { accept: 'text/html', cookie } })).text()
  expect(await mine('/projects')).toMatch(
    /<link rel="preload" as="fetch" crossorigin href="\/api\/projects\?page=1&amp;/
  )
  expect(await mine('/projects/%22%3E%3Cscript%3E')).not.toMatch(/as="fetch"|%22/)
})
