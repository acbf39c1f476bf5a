import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, buildApp } from '../src/app.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

const page = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script src="/boot.js"></script></head>'
const script = 'export const answer = 42\n'.repeat(50)
const html = { accept: 'text/html,application/xhtml+xml' }

let panel: TestPanel
let directory: string
let app: App

beforeAll(async () => {
  panel = await createTestPanel()
  cookie = (await panel.signUp()).cookie
  directory = await mkdtemp(join(tmpdir(), 'dashboard-'))
  await mkdir(join(directory, 'assets'))
  await writeFile(join(directory, 'index.html'), page)
  const ofList = { path: '/projects', scripts: ['assets/main-abc.js'], styles: [], asks: ['/api/projects'] }
  await writeFile(join(directory, 'first-requests.json'), JSON.stringify([{ ...ofList, asksAround: ['/api/auth/me'] }]))
  await writeFile(join(directory, 'boot.js'), '// boot')
  await writeFile(join(directory, 'assets/main-abc.js'), script)
  await writeFile(join(directory, 'assets/main-abc.js.br'), brotliCompressSync(script))
  app = await buildApp(panel.deps, { dashboard: directory })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await panel.close()
  await rm(directory, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })
let cookie: string

test.each(['/', '/projects/some-id/deployments?d=1', '/login', '/apiary'])('%s serves the page', async (url) => {
  const answer = await get(url, html)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  const nonce = /nonce="([^"]{20,})"/.exec(answer.body)?.[1]
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`)
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect((await get(url, html)).body).not.toBe(answer.body)
})

test('preloads are given to sessions only, and the list is private', async () => {
  const begin = '<link rel="preload" as="fetch" crossorigin href="/api/auth/me">'
  expect((await get('/projects', { ...html, cookie })).body).toContain(begin)
  expect((await get('/projects', html)).body).not.toContain('<link')
  expect((await get('/first-requests.json', { ...html, cookie })).statusCode).toBe(404)
})

test('the page is compressed on request', async () => {
  const answer = await get('/', { ...html, 'accept-encoding': 'gzip, br' })
  expect(answer.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(answer.rawPayload).toString()).toContain('/boot.js')
})

test('hashed files are cached forever and served precompressed', async () => {
  const answer = await get('/assets/main-abc.js', { 'accept-encoding': 'br' })
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff'
  })
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(script)
  expect((await get('/assets/main-abc.js')).body).toBe(script)
  expect((await get('/boot.js')).headers['cache-control']).toBe('no-cache')
})

// Never the HTML page: it would run as a script or be read as an API response.
test.each([
  ['/assets/main-old.js', html],
  ['/assets/main-abc.js.br', html],
  ['/index.html.br', html],
  ['/api/nothing', html],
  ['/metrics/x', html],
  ['/.well-known/nothing', html],
  ['/projects', { accept: 'application/json' }],
  ['/..%2fpackage.json', html],
  ['/%2e%2e/%2e%2e/etc/passwd.txt', html]
])('%s is 404', async (url, headers) => {
  const answer = await get(url, { ...headers, cookie })
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' })
})

test('other methods find no page', async () => {
  const answer = await app.inject({ method: 'POST', url: '/projects', headers: { ...html, cookie } })
  expect(answer.statusCode).toBe(404)
})

test('the API is unaffected', async () => {
  expect((await get('/api/projects', html)).statusCode).toBe(401)
  expect((await get('/api/health')).json()).toMatchObject({ status: 'ok' })
})

test('without a build, only the API is served', async () => {
  const alone = await buildApp(panel.deps, { dashboard: join(directory, 'nowhere') })
  expect((await alone.inject({ url: '/', headers: { ...html, cookie } })).statusCode).toBe(404)
  await alone.close()
})
