import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probeHttp } from './http-probe.ts'

const answers: Record<string, (response: ServerResponse) => void> = {
  '/whole': (response) => response.end('found'),
  '/long': (response) => response.end('x'.repeat(100)),
  '/elsewhere': (response) => response.writeHead(302, { location: '/whole' }).end('no'),
  '/broken': (response) => response.writeHead(200, { 'content-length': '10' }).destroy(),
  '/gone': (response) => response.destroy(),
  '/other-protocol': ({ socket }) =>
    socket!.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
}
const server = createServer((request, response) => answers[request.url!]?.(response))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close().closeAllConnections())

const probe = (path: string, signal = new AbortController().signal, timeoutMs = 60_000) =>
  probeHttp({
    address: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    path,
    hostname: 'probed.example',
    userAgent: 'probe',
    maxBytes: 50,
    timeoutMs,
    signal
  })

test.each([
  ['/whole', { status: 200, body: 'found', isWhole: true }],
  ['/long', { status: 200, body: 'x'.repeat(50), isWhole: false }],
  ['/elsewhere', { status: 302, body: '', isWhole: false }],
  ['/broken', 'silent'],
  ['/gone', 'silent'],
  ['/other-protocol', 'silent']
])('%s', { timeout: 20_000 }, async (path, expected) => expect(await probe(path)).toEqual(expected))

test('a timeout is silent, and an aborted probe rejects with the reason', async () => {
  expect(await probe('/never', undefined, 100)).toBe('silent')
  await expect(probe('/never', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
