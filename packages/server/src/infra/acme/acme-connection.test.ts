import 'reflect-metadata'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { axios } from 'acme-client'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { makeCertificate } from '../../../test/fixtures/certificate.fixture.ts'
import { AcmeError } from './acme.ts'
import { createAcmeConnection } from './acme-connection.ts'

const timeoutMs = 3_456_789

let answer: (socket: TLSSocket) => void = () => {}
let server: Server
let url: string
let caPem: string
beforeAll(async () => {
  const certificate = await makeCertificate('authority', ['localhost'], { chainLength: 2 })
  caPem = certificate.chain
  server = createServer({ cert: caPem, key: certificate.keyPem }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `https://localhost:${(server.address() as AddressInfo).port}/directory`
})
afterAll(() => server.close())
afterEach(() => vi.restoreAllMocks())

async function ask(signal?: AbortSignal): Promise<unknown> {
  const started = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const connect = createAcmeConnection({ caPem, timeoutMs })
  const outcome: unknown = await connect(signal)(() => axios.get(url)).catch((error: unknown) => error)
  const timers = started.mock.calls.flatMap(([, ms], index) =>
    ms === timeoutMs ? [started.mock.results[index]!.value as unknown] : []
  )
  expect(timers).toHaveLength(1)
  await expect.poll(() => cleared.mock.calls.map(([timer]) => timer as unknown)).toContain(timers[0])
  return outcome
}

test('a response', async () => {
  answer = (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  expect(await ask()).toMatchObject({ status: 200, data: {} })
})

test.each<[string, (socket: TLSSocket) => void]>([
  [
    'changes to another protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nmore')
  ],
  ['changes to no protocol', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
  ['goes without an answer', (socket) => socket.end()],
  ['breaks off', (socket) => socket.destroy()],
  ['goes within the head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
  ['goes within the body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}')],
  ['goes within a chunk', (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}')],
  ['speaks no HTTP', (socket) => socket.write('220 mail.example ESMTP\r\n')],
  ['sends without end', (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${' '.repeat(1_100_000)}`)]
])('a CA that %s is unreachable, and no request is left hanging', async (_what, does) => {
  answer = does
  const outcome = await ask()
  expect(outcome).toBeInstanceOf(AcmeError)
  expect(outcome).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('localhost') as string })
})

test('an order aborted while the CA does not respond', async () => {
  const controller = new AbortController()
  answer = () => controller.abort(new Error('given up'))
  expect(await ask(controller.signal)).toMatchObject({ kind: 'aborted' })
})
