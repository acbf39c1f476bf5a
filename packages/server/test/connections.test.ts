import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { proxyHeader, proxySecret, proxySource } from '../src/security/proxy-proof.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

const limits = { strangers: 30, perAddress: 20, proxy: 8, live: 2 }
let panel: TestPanel
let port: number
const sockets: Socket[] = []
beforeAll(async () => {
  panel = await createTestPanel({ TRUSTED_PROXIES: '127.0.0.8' }, { connectionLimits: limits })
  await panel.app.listen({ port: 0, host: '127.0.0.1' })
  port = (panel.app.server.address() as AddressInfo).port
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(count).toBe(0)
})
afterAll(() => panel.close())

const count = () =>
  new Promise<number>((resolve, reject) =>
    panel.app.server.getConnections((error, n) => (error ? reject(error) : resolve(n)))
  )

/** Opens silent connections; resolves with how many the server keeps. */
async function idle(localAddress: string, n: number): Promise<number> {
  const before = await count()
  for (let i = 0; i < n; i++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
  }
  await ask('127.0.0.9').catch(() => {})
  return (await count()) - before
}

/** Status of a response to a request from this address; rejects if the server hangs up. */
function ask(localAddress: string) {
  return new Promise<number>((resolve, reject) => {
    const outgoing = request(
      { port, host: '127.0.0.1', localAddress, path: '/api/auth/config', headers: { connection: 'close' } },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      }
    )
    outgoing.on('error', reject).end()
  })
}

describe('idle connections', () => {
  test('of one address are limited, and the proxy keeps its share', async () => {
    expect(await idle('127.0.0.1', 40)).toBe(limits.perAddress)
    await expect(ask('127.0.0.1')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await ask('127.0.0.3')).toBe(200)
    await idle('127.0.0.4', 20)
    expect(await count()).toBe(limits.strangers)
    await expect(ask('127.0.0.5')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await ask(proxySource)).toBe(200)
  })

  test('of a trusted proxy count as many clients', async () => {
    expect(await idle('127.0.0.8', limits.perAddress + 5)).toBe(limits.perAddress + 5)
  })

  test('are closed without a request, freeing places', async () => {
    panel.app.server.headersTimeout = 500
    await idle('127.0.0.1', 40)
    await expect.poll(() => ask('127.0.0.1').catch(() => 0)).toBe(200)
    panel.app.server.headersTimeout = 10_000
  })
})

describe('the client address', () => {
  test('is set by our proxy with its secret, by no one else', async () => {
    const limited = await createTestPanel({ AUTH_RATE_LIMIT_MAX: '2' })
    try {
      // The rate limit shows which address a client counts as.
      const attempt = async (headers: Record<string, string>) =>
        (await limited.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: {} })).statusCode
      const proof = { [proxyHeader]: proxySecret(limited.deps.config) }
      const from = (ip: string) => ({ 'x-forwarded-for': ip })
      const statuses = []
      for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
        statuses.push(await attempt({ ...from(ip), [proxyHeader]: 'guessed' }))
      expect(statuses).toEqual([400, 400, 429])
      for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.1'])
        expect(await attempt({ ...from(ip), ...proof })).toBe(400)
      expect(await attempt({ ...from('192.0.2.1'), ...proof })).toBe(429)
    } finally {
      await limited.close()
    }
  })
})
