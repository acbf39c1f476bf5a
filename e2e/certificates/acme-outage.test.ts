import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AcmeAuthority } from '../../packages/server/src/infra/acme/acme.ts'
import { createAcmeAuthority } from '../../packages/server/src/infra/acme/acme-client.ts'
import { type AcmeEnvironment, authorityAt, expectNothingLeft, startAcmeEnvironment } from './acme.harness.ts'
import { makeServerCertificate, type Pebble } from '../support/pebble.ts'

let environment: AcmeEnvironment
let pebble: Pebble

beforeAll(async () => {
  environment = await startAcmeEnvironment()
  environment.dns.set('shop.test', 'A', { values: ['127.0.0.1'] })
  pebble = await environment.pebbleWith()
})

afterEach(() => environment.release())

afterAll(() => environment?.close())

describe('an authority that cannot be reached', () => {
  const failureOf = (authority: AcmeAuthority) =>
    authority.order(environment.watch(['shop.test'])).then(
      () => undefined,
      (error: unknown) => error
    )

  test('is unavailable: it is down', async () => {
    const gone = await environment.pebbleWith()
    await gone.kill()
    const failure = await failureOf(authorityAt(gone))
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('ECONNREFUSED') })
    await expect(authorityAt(gone).caaIdentities()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('is unavailable: its certificate is not trusted', async () => {
    const failure = await failureOf(createAcmeAuthorityWithoutCa())
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/certificate/) })
  })

  const createAcmeAuthorityWithoutCa = () =>
    createAcmeAuthority({
      directoryUrl: pebble.directoryUrl,
      accounts: { load: async () => undefined, save: async () => {} }
    })

  test('is unavailable: it accepts the connection and stays silent', async () => {
    const sockets = new Set<Socket>()
    const silent = createTcpServer((socket) => void sockets.add(socket.on('error', () => {})))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const directoryUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/dir`
    try {
      const authority = authorityAt({ directoryUrl, caPem: pebble.caPem }, { requestTimeoutMs: 300 })
      expect(await failureOf(authority)).toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('no answer')
      })
      // The default timeout is 30 seconds; the signal aborts at once.
      const controller = new AbortController()
      const waiting = authorityAt({ directoryUrl, caPem: pebble.caPem }).order(
        environment.watch(['shop.test'], { signal: controller.signal })
      )
      setTimeout(() => controller.abort(), 100)
      await expect(waiting).rejects.toMatchObject({ kind: 'aborted' })
    } finally {
      for (const socket of sockets) socket.destroy()
      silent.close()
    }
  })

  test('times out while it decides', async () => {
    environment.hold()
    const request = environment.watch(['shop.test'])
    await expect(authorityAt(pebble, { decisionTimeoutMs: 300 }).order(request)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('did not decide')
    })
    expectNothingLeft(request)
  })
})

describe('a faulty authority', () => {
  let directory: string
  let caPem: string
  let server: ReturnType<typeof createTlsServer>
  let origin: string
  let requested: string[]
  let answer: { path: string; status: number; headers?: Record<string, string>; body?: string }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'panel-ill-'))
    await makeServerCertificate(directory)
    const read = (name: string) => readFile(join(directory, name), 'utf8')
    caPem = await read('ca.pem')
    server = createTlsServer({ cert: await read('server.pem'), key: await read('server.key') }, (request, response) => {
      const path = request.url ?? ''
      requested.push(path)
      const nonce = { 'replay-nonce': 'bm9uY2U' }
      if (path === answer.path) response.writeHead(answer.status, { ...nonce, ...answer.headers }).end(answer.body)
      else if (path === '/dir') response.writeHead(200, { 'content-type': 'application/json' }).end(directoryText())
      else if (path === '/account') response.writeHead(201, { ...nonce, location: `${origin}/account/1` }).end('{}')
      else response.writeHead(200, nonce).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterAll(async () => {
    server?.closeAllConnections()
    server?.close()
    await rm(directory, { recursive: true, force: true })
  })

  const directoryText = () =>
    JSON.stringify({
      newNonce: `${origin}/nonce`,
      newAccount: `${origin}/account`,
      newOrder: `${origin}/order`,
      meta: { caaIdentities: ['ca.test', 7, 'authority.test'] }
    })

  const limited = JSON.stringify({ type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many certificates' })
  const unknown = JSON.stringify({
    type: 'urn:ietf:params:acme:error:accountDoesNotExist',
    detail: 'never heard of'
  })

  test.each<[string, typeof answer, object]>([
    [
      'too many orders',
      { path: '/order', status: 429, headers: { 'retry-after': '7200' }, body: limited },
      { kind: 'rate-limited', retryAfterSeconds: 7200, message: 'too many certificates' }
    ],
    [
      'too many requests',
      { path: '/nonce', status: 429, headers: { 'retry-after': '7200' } },
      { kind: 'rate-limited', retryAfterSeconds: 7200 }
    ],
    [
      'under maintenance',
      { path: '/dir', status: 503, headers: { 'retry-after': '7200' }, body: '<html>' },
      { kind: 'unavailable', retryAfterSeconds: 7200 }
    ],
    [
      'an error',
      { path: '/account', status: 500, body: '{"detail":"boom"}' },
      { kind: 'unavailable', message: 'boom' }
    ],
    ['no nonce', { path: '/nonce', status: 204, headers: { 'replay-nonce': '' } }, { kind: 'unavailable' }],
    ['not an authority at all', { path: '/dir', status: 200, body: '<html>hello' }, { kind: 'unavailable' }],
    ['null', { path: '/dir', status: 200, body: 'null' }, { kind: 'unavailable' }],
    [
      'an empty order',
      { path: '/order', status: 201, headers: { location: 'x' }, body: '{}' },
      { kind: 'unavailable' }
    ],
    [
      'an order without a name',
      {
        path: '/order',
        status: 201,
        headers: { location: 'https://x.test/' },
        body: '{"status":"pending","identifiers":[],"authorizations":["no address"]}'
      },
      { kind: 'unavailable' }
    ],
    [
      'elsewhere',
      { path: '/dir', status: 301, headers: { location: 'https://elsewhere.test/' } },
      { kind: 'unavailable' }
    ],
    ['endless', { path: '/dir', status: 200, body: 'x'.repeat(2_000_000) }, { kind: 'unavailable' }],
    ['an account that it never knows', { path: '/order', status: 400, body: unknown }, { kind: 'refused' }]
  ])('%s', async (_, given, expected) => {
    answer = given
    requested = []
    const authority = authorityAt({ directoryUrl: `${origin}/dir`, caPem })
    await expect(authority.order(environment.watch(['shop.test']))).rejects.toMatchObject({
      name: 'AcmeError',
      ...expected
    })
    const again = requested.filter((path) => path === given.path).length
    expect(again).toBe(given.body === unknown ? 2 : 1)
  })

  test('names itself for CAA records, or does not', async () => {
    answer = { path: '', status: 200 }
    requested = []
    await expect(authorityAt({ directoryUrl: `${origin}/dir`, caPem }).caaIdentities()).resolves.toEqual([
      'ca.test',
      'authority.test'
    ])
    await expect(authorityAt(pebble).caaIdentities()).resolves.toEqual([])
  })
})
