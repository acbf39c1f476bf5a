import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { answersHttp, isPortFree } from './local-endpoint.ts'

let server: Server | undefined
afterEach(() => server?.close())

async function listen(listening: Server): Promise<number> {
  server = listening.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const signal = new AbortController().signal
const ask = (port: number, timeoutMs = 5_000) => answersHttp({ address: '127.0.0.1', port }, { timeoutMs, signal })

test('a port is not free while another program uses it', async () => {
  const port = await listen(createServer())
  expect(await isPortFree(port)).toBe(false)
  server!.close()
  expect(await isPortFree(port)).toBe(true)
})

describe('HTTP', () => {
  test.each([200, 404, 500])('accepts status %d', async (status) => {
    const port = await listen(createHttpServer((_request, response) => response.writeHead(status).end()))
    expect(await ask(port)).toBe(true)
  })
  test('rejects a closed port', async () => {
    const port = await listen(createServer())
    server!.close()
    expect(await ask(port)).toBe(false)
  })
  test('rejects a connection without data', async () => {
    const port = await listen(createServer((socket) => socket.unref()))
    expect(await ask(port, 50)).toBe(false)
  })
  test('rejects data that is not HTTP', async () => {
    const port = await listen(createServer((socket) => socket.end('220 mail ready\r\n')))
    expect(await ask(port)).toBe(false)
  })
  test('stops on abort', async () => {
    const port = await listen(createServer((socket) => socket.unref()))
    const requested = answersHttp(
      { address: '127.0.0.1', port },
      { timeoutMs: 60_000, signal: AbortSignal.timeout(20) }
    )
    expect(await requested).toBe(false)
  })
})
