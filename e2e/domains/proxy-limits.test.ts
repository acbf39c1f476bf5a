import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ProxyLimits } from '../../packages/server/src/net/connection-limits.policy.ts'
import type { RouteTarget } from '../../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import { sendCommand } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { network, startTestProxy, type TestProxy } from './proxy.harness.ts'

// The ratios of a large machine, scaled down so that limits are reached quickly.
const limits: ProxyLimits = {
  connections: 400,
  full: 300,
  connectionsWhenFull: 8,
  perAddress: { connections: 60, connectionsIn10Seconds: 5_000, requests: 40 },
  perContainer: { connections: 20, connectionsIn10Seconds: 5_000, requests: 15 },
  siteRequests: 60,
  allSiteRequests: 130,
  tcpConnectionsPerTarget: 25,
  tcpConnections: 50
}
/** Client addresses; containers use 127.0.0.0/9. */
const client = (n: number) => `127.200.0.${n}`

let proxy: TestProxy
const hanging: http.Server[] = []
const open: { destroy(): unknown }[] = []

async function startHanging(address: string): Promise<RouteTarget> {
  const server = http.createServer(() => {})
  server.listen(0, address)
  await once(server, 'listening')
  hanging.push(server)
  return { kind: 'container', address, port: (server.address() as AddressInfo).port }
}

beforeAll(async () => {
  proxy = await startTestProxy({ limits, network: { ...network, subnet: '127.0.0.0/9' } })
  const route = (hostname: string, target: RouteTarget) => ({ hostname, target, forceHttps: false })
  await proxy.proxy.sync([
    route('panel.example.com', { kind: 'panel' }),
    route('good.example.com', proxy.first),
    route('*.bad.example.com', await startHanging('127.0.0.5')),
    route('bad-too.example.com', await startHanging('127.0.0.6')),
    route('worse.example.com', await startHanging('127.0.0.7'))
  ])
})
afterEach(async () => {
  for (const each of open.splice(0)) each.destroy()
  for (const table of ['clients', 'client_requests', 'site_requests'])
    await expect.poll(() => sendCommand(proxy.paths.adminSocket, `show table ${table}`)).not.toMatch(/conn_cur=[1-9]/)
})
afterAll(async () => {
  await proxy?.close()
  for (const server of hanging) {
    server.closeAllConnections()
    server.close()
  }
})

interface Tries {
  sent: number
  statuses: number[]
  cut: number
}

function send(from: string, count: number, hostOf: (n: number) => string, tries?: Tries): Tries {
  const result = tries ?? { sent: 0, statuses: [], cut: 0 }
  result.sent += count
  for (let n = 0; n < count; n++) {
    const socket = connect({ port: proxy.httpPort, host: '127.0.0.1', localAddress: from })
    open.push(socket)
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostOf(n)}\r\n\r\n`)
    socket.once('data', (chunk) => {
      result.statuses.push(Number(chunk.toString().slice(9, 12)))
      socket.destroy()
    })
    socket.once('error', () => result.cut++)
  }
  return result
}

const statusOf = (from: string, host: string): Promise<number> =>
  new Promise((resolve) => {
    const options = { port: proxy.httpPort, host: '127.0.0.1', localAddress: from, headers: { host }, agent: false }
    const outgoing = http.get(options, (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)))
    outgoing.on('error', () => resolve(0))
  })

async function expectOthersServed(): Promise<void> {
  for (const host of ['good.example.com', 'panel.example.com']) expect(await statusOf(client(200), host)).toBe(200)
}
/**
 * Waits until only `limit` requests are open. Concurrent requests may be refused early, because refused ones count
 * while they are open.
 */
async function expectHeld(tries: Tries, limit: number, status: number): Promise<void> {
  const held = () => tries.sent - tries.statuses.length - tries.cut
  await expect.poll(held).toBeLessThanOrEqual(limit)
  expect(held()).toBeGreaterThan(limit / 2)
  expect([...new Set(tries.statuses)]).toEqual([status])
}

describe('hanging requests', () => {
  test('of one address are limited; others are served', async () => {
    const tries = send(client(1), 55, () => 'x.bad.example.com')
    await expectHeld(tries, limits.perAddress.requests, 429)
    await expectOthersServed()
    send(client(1), 55, () => 'worse.example.com', tries)
    await expectHeld(tries, limits.perAddress.requests, 429)
    await expectOthersServed()
  })

  test('of one HTTP/2 connection are counted individually', async () => {
    const session = http2.connect(`https://127.0.0.1:${proxy.httpsPort}`, {
      createConnection: () =>
        tls.connect({
          socket: connect({ port: proxy.httpsPort, host: '127.0.0.1', localAddress: client(1) }),
          ALPNProtocols: ['h2'],
          rejectUnauthorized: false
        })
    })
    open.push(session)
    session.on('error', () => {})
    const tries: Tries = { sent: 60, statuses: [], cut: 0 }
    for (let n = 0; n < tries.sent; n++) {
      const stream = session.request({ ':authority': 'x.bad.example.com', ':path': '/' })
      stream.on('error', () => {})
      stream.once('response', (headers) => tries.statuses.push(headers[':status']!))
    }
    await expectHeld(tries, limits.perAddress.requests, 429)
    await expectOthersServed()
  })

  test('of a container have a lower limit', async () => {
    await expectHeld(
      send('127.0.0.9', 19, () => 'x.bad.example.com'),
      limits.perContainer.requests,
      429
    )
    await expectOthersServed()
  })

  test('of many addresses to one site are limited; the panel keeps its reserve', async () => {
    const one = [1, 2, 3].reduce<Tries | undefined>(
      (tries, n) => send(client(n), 30, (i) => `host-${i}.bad.example.com`, tries),
      undefined
    )
    await expectHeld(one!, limits.siteRequests, 503)
    await expectOthersServed()
    for (const n of [4, 5, 6]) send(client(n), 30, () => 'bad-too.example.com')
    for (const n of [7, 8, 9]) send(client(n), 30, () => 'worse.example.com')
    await expect.poll(() => statusOf(client(200), 'good.example.com')).toBe(503)
    expect(await statusOf(client(200), 'panel.example.com')).toBe(200)
  })
})

describe('silent connections', () => {
  const idle = async (from: string, count: number) => {
    const sockets: Socket[] = []
    for (let n = 0; n < count; n++) {
      const socket = connect({ port: proxy.httpPort, host: '127.0.0.1', localAddress: from })
      socket.on('error', () => {})
      sockets.push(socket)
    }
    open.push(...sockets)
    await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})))
    await expectOthersServed()
    return () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length
  }

  test('of one address are limited', async () => {
    const kept = await idle(client(1), 100)
    await expect.poll(kept).toBe(60)
  })

  test('of many: when nearly full, each address gets little and new clients get in', async () => {
    const kept: (() => number)[] = []
    for (const n of [1, 2, 3, 4, 5, 6, 7]) kept.push(await idle(client(n), 60))
    await expect.poll(() => kept.reduce((sum, count) => sum + count(), 0)).toBeLessThanOrEqual(320)
    await expectOthersServed()
  })
})
