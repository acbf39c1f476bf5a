import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { makeCertificate } from '../../../test/fixtures/certificate.fixture.ts'
import { probeFrontDoor } from './front-door.ts'

const servers: { close(): unknown; closeAllConnections?(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.()
    server.close()
  }
})

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const plain = (listener: RequestListener) => listen(createServer(listener))
const ask = (port: number, values: Partial<Parameters<typeof probeFrontDoor>[0]> = {}) =>
  probeFrontDoor({
    address: '127.0.0.1',
    port,
    protocol: 'http',
    hostname: 'shop.test',
    path: '/',
    method: 'GET',
    userAgent: 'test',
    maxBytes: 1_000,
    timeoutMs: 5_000,
    ...values
  })

test('returns status and body, up to maxBytes', async () => {
  const port = await plain((_request, response) => response.writeHead(418).end('ü'.repeat(100_000)))
  const answer = await ask(port)
  expect(answer).toMatchObject({ failure: null, status: 418, certificate: null, ms: expect.any(Number) })
  expect(answer.body).toBe('ü'.repeat(500))
  expect((await ask(port, { maxBytes: 0 })).body).toBe('')
})

test.each([
  ['text/html; charset=iso-8859-1', 'é'],
  ['text/html; charset="no-such"', '\ufffd'],
  [undefined, '\ufffd']
])('decodes bytes that are not UTF-8 according to %s', async (type, expected) => {
  const port = await plain((_request, response) => {
    if (type !== undefined) response.setHeader('content-type', type)
    response.end(Buffer.from([0xe9]))
  })
  expect((await ask(port)).body).toBe(expected)
})

test('an endless body is read up to maxBytes', async () => {
  const port = await plain((_request, response) => void response.write('x'.repeat(2_000)))
  expect(await ask(port)).toMatchObject({ failure: null, body: 'x'.repeat(1_000) })
})

test('a hanging site times out, a broken connection fails at once', async () => {
  const hanging = await plain(() => {})
  expect(await ask(hanging, { timeoutMs: 100 })).toMatchObject({ failure: 'TIMEOUT', status: null, ms: null })
  const breaking = await plain((request) => request.socket.destroy())
  expect(await ask(breaking)).toMatchObject({ failure: 'CONNECTION_LOST' })
  const cut = await plain((_request, response) => {
    response.writeHead(200, { 'content-length': 500 }).write('x', () => response.destroy())
  })
  expect(await ask(cut)).toMatchObject({ failure: 'CONNECTION_LOST' })
})

test('a proxy that is down is reported as such', async () => {
  const port = await plain(() => {})
  const [server] = servers.splice(0)
  server!.close()
  expect(await ask(port)).toMatchObject({ failure: 'PROXY_AWAY' })
  const mute = await listen(createTcpServer(() => {}))
  expect(await ask(mute, { protocol: 'https', timeoutMs: 100 })).toMatchObject({ failure: 'PROXY_AWAY' })
})

test('over TLS it returns the certificate served for the name', async () => {
  const { chain, keyPem } = await makeCertificate('id', ['shop.test'])
  const port = await listen(
    createTlsServer({ cert: chain, key: keyPem }, (_request, response) => response.end('hello'))
  )
  const own = await ask(port, { protocol: 'https' })
  expect(own).toMatchObject({ failure: null, status: 200, body: 'hello', certificate: { isForName: true } })
  expect(own.certificate!.validTo.getTime()).toBeGreaterThan(Date.now() + 86_000_000)
  const other = await ask(port, { protocol: 'https', hostname: 'other.test' })
  expect(other.certificate).toMatchObject({ isForName: false })
})
