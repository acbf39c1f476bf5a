import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createHttpUpdateFeed } from './http-update-feed.ts'

const release = { version: '1.2.3', url: 'https://example.org/1.2.3', security: true }
let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function read(listener: RequestListener, timeoutMs?: number) {
  server = createServer(listener)
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return createHttpUpdateFeed(timeoutMs === undefined ? {} : { timeoutMs }).read(url)
}
const says =
  (value: unknown): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify(value))

test('reads the latest release and nothing else', async () => {
  expect(await read(says({ ...release, notes: 'more' }))).toEqual(release)
})

test('security defaults to false', async () => {
  expect(await read(says({ version: '2.0.0-rc.1', url: release.url }))).toMatchObject({ security: false })
})

test.each<[string, RequestListener]>([
  ['a version that is none', says({ ...release, version: '1.2' })],
  ['a version with more behind it', says({ ...release, version: '1.2.3\nx' })],
  ['an address that is no https', says({ ...release, url: 'javascript:alert(1)' })],
  ['no object', says('1.2.3')],
  ['no JSON', (_request, response) => void response.end('<html>')],
  ['an error', (_request, response) => void response.writeHead(500).end(JSON.stringify(release))],
  ['a redirect', (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  [
    'an answer without end',
    (_request, response) => void setInterval(() => response.write('a'.repeat(20_000)), 1).unref()
  ]
])('%s is refused', async (_what, listener) => {
  await expect(read(listener)).rejects.toThrow()
})

test('a silent server times out', async () => {
  await expect(read(() => {}, 50)).rejects.toThrow()
})
