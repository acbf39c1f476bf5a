import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityProblems } from '../support/chromium.ts'
import { type Pages, startPages } from '../support/pages.ts'

let pages: Pages
beforeAll(async () => {
  pages = await startPages()
})
afterAll(() => pages?.close())

test.each(['css', 'js'])('a page reloads a lost .%s file', async (extension) => {
  const { page, complaints } = await pages.open()
  let lost = 0
  await page.route(new RegExp(`/assets/index-[^/]+\\.${extension}$`), (route) =>
    lost++ === 0 ? route.abort('connectionreset') : route.continue()
  )
  await page.goto('/login')
  await expect.poll(() => lost).toBe(2)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const readable = `[...document.styleSheets].every((sheet) => { try { return sheet.cssRules.length >= 0 } catch { return false } })`
  expect(await page.evaluate(readable)).toBe(true)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_RESET'))).toEqual([])
})

test('a missing file is requested only once more', async () => {
  const { page } = await pages.open()
  let lost = 0
  await page.route(/\/assets\/index-[^/]+\.css$/, (route) => {
    lost++
    return route.abort('connectionreset')
  })
  await page.goto('/login')
  await expect.poll(() => lost).toBe(2)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByLabel('Email').fill('ada@example.com')
  expect(lost).toBe(2)
})

test('works in a browser without storage', async () => {
  const { page, context, complaints } = await pages.open()
  await context.addInitScript(
    `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError') } })`
  )
  await page.goto('/login')
  await page.getByLabel('Email').fill('ada@example.com')
  expect(complaints).toEqual([])
})

async function bytesOf(requests: readonly Request[]): Promise<number> {
  const files = requests.filter((request) => !new URL(request.url()).pathname.startsWith('/api/'))
  const sizes = await Promise.all(files.map((request) => request.sizes()))
  return sizes.reduce(
    (sum, { responseHeadersSize, responseBodySize }) => sum + responseHeadersSize + responseBodySize,
    0
  )
}

test('sign-in, lists and deployments stay within their size budgets', async () => {
  const ada = await pages.panel.signUp('ada')
  const { id } = await ada.createProject()
  for (const [path, client, budget] of [
    ['/login', undefined, 170_000],
    ['/projects', ada, 220_000],
    ['/domains', ada, 220_000],
    [`/projects/${id}/deployments`, ada, 226_000]
  ] as const) {
    const { page } = await pages.open(client)
    const requests: Request[] = []
    page.on('requestfinished', (request) => requests.push(request))
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const bytes = await bytesOf(requests)
    expect(bytes, path).toBeGreaterThan(100_000)
    expect(bytes, path).toBeLessThanOrEqual(budget)
  }
})
