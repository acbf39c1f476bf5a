import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createEndpointCalls } from './endpoint-calls.ts'
import { localHost } from './engine-host.ts'

const { acceptsConnections, httpStatus, isPortFree } = createEndpointCalls(localHost)

let server: Server | undefined
afterEach(() => server?.close())

async function listen(listening: Server): Promise<number> {
  server = listening.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const signal = new AbortController().signal
const probe = { path: '/health?all', hostname: 'shop.example', timeoutMs: 5_000, signal }
const ask = (port: number, options: Partial<typeof probe> = {}) =>
  httpStatus({ address: '127.0.0.1', port }, { ...probe, ...options })

test('a port is not free while another program uses it', async () => {
  const port = await listen(createServer())
  expect(await isPortFree(port)).toBe(false)
  server!.close()
  expect(await isPortFree(port)).toBe(true)
})

test('connections are accepted where a program listens, whatever it speaks', async () => {
  const port = await listen(createServer((socket) => socket.end('220 mail ready\r\n')))
  const endpoint = { address: '127.0.0.1', port }
  expect(await acceptsConnections(endpoint, { timeoutMs: 5_000, signal })).toBe(true)
  server!.close()
  expect(await acceptsConnections(endpoint, { timeoutMs: 5_000, signal })).toBe(false)
  expect(await acceptsConnections(endpoint, { timeoutMs: 60_000, signal: AbortSignal.abort() })).toBe(false)
})

describe('HTTP', () => {
  test.each([200, 404, 500])('status %d of the path and host asked for', async (status) => {
    const port = await listen(
      createHttpServer(({ url, headers }, response) =>
        response.writeHead(url === '/health?all' && headers.host === 'shop.example' ? status : 421).end()
      )
    )
    expect(await ask(port)).toBe(status)
  })
  test('rejects a closed port', async () => {
    const port = await listen(createServer())
    server!.close()
    expect(await ask(port)).toBeUndefined()
  })
  test('rejects a connection without data', async () => {
    const port = await listen(createServer((socket) => socket.unref()))
    expect(await ask(port, { timeoutMs: 50 })).toBeUndefined()
  })
  test('rejects data that is not HTTP', async () => {
    const port = await listen(createServer((socket) => socket.end('220 mail ready\r\n')))
    expect(await ask(port)).toBeUndefined()
  })
  test('stops on abort', async () => {
    const port = await listen(createServer((socket) => socket.unref()))
    expect(await ask(port, { timeoutMs: 60_000, signal: AbortSignal.timeout(20) })).toBeUndefined()
  })
})
