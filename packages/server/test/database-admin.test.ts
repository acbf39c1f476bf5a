import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryDatabaseAdmin } from './fakes/memory-database-admin.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let upstream: Server
let answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
let seen: IncomingMessage[] = []
let panel: TestPanel
let user: Client
let port: number

const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  upstream = createServer((request, response) => {
    seen.push(request)
    void answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  panel = await createTestPanel(
    {},
    { databaseAdmin: createMemoryDatabaseAdmin({ host: '127.0.0.1', port: portOf(upstream), secret: 'the secret' }) }
  )
  user = await panel.signUp()
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  port = portOf(panel.app.server)
})
afterAll(async () => {
  await panel?.close()
  upstream?.closeAllConnections()
  upstream?.close()
})
beforeEach(() => {
  seen = []
  answer = (_request, response) => void response.end('a page')
})

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: Iterable<Buffer | string>
}

/** Over a socket, because streaming and dropped connections are visible only there. */
async function ask({ method = 'GET', path = '/adminer/', headers = {}, body = [] }: Sent = {}) {
  const outgoing = send({ host: '127.0.0.1', port, method, path, agent: false, headers: { cookie: user.cookie, ...headers } })
  outgoing.on('error', () => {})
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  for (const chunk of body) outgoing.write(chunk)
  outgoing.end()
  const [response] = await answered
  return { status: response.statusCode, headers: response.headers, response, text: () => text(response) }
} // oxfmt-ignore

const codeOf = async (answered: Awaited<ReturnType<typeof ask>>) =>
  (JSON.parse(await answered.text()) as { code: string }).code

describe('access', () => {
  test('requires a session; other requests never reach the program', async () => {
    const stranger = await ask({ headers: { cookie: 'adminer_sid=1' } })
    expect([stranger.status, await codeOf(stranger)]).toEqual([401, 'UNAUTHENTICATED'])
    const created = await user.request('POST', '/api/auth/tokens', { name: 't', scope: 'full', password })
    const byToken = await ask({ headers: { authorization: `Bearer ${created.json<{ token: string }>().token}` } })
    expect([byToken.status, await codeOf(byToken)]).toEqual([403, 'FORBIDDEN'])
    expect(seen).toEqual([])
    const entered = await ask()
    expect([entered.status, await entered.text()]).toEqual([200, 'a page'])
  })

  test('ends with the session', async () => {
    const other = await panel.signIn(user.user.email)
    expect((await ask({ headers: { cookie: other.cookie } })).status).toBe(200)
    await other.request('POST', '/api/auth/logout')
    expect((await ask({ headers: { cookie: other.cookie } })).status).toBe(401)
  })

  test('cross-site forms are refused', async () => {
    const form = { method: 'POST', headers: { origin: 'https://evil.example', 'content-type': 'text/plain' }, body: ['a=1'] }
    const foreign = await ask(form)
    expect([foreign.status, await codeOf(foreign)]).toEqual([403, 'FORBIDDEN'])
    expect((await ask({ ...form, headers: { ...form.headers, origin: 'null' } })).status).toBe(403)
    expect(seen).toEqual([])
    expect((await ask({ ...form, headers: { ...form.headers, origin: `http://127.0.0.1:${port}` } })).status).toBe(200)
  }) // oxfmt-ignore

  test('other routes still accept JSON only', async () => {
    const url = '/api/projects'
    const refused = await user.request('POST', url, 'name=a', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(refused.statusCode).toBe(415)
  })
})

describe('proxying', () => {
  test('forwards the request with secret and user, without the panel cookie', async () => {
    let body = ''
    answer = async (request, response) => {
      body = await text(request)
      response.end()
    }
    const path = '/adminer/?server=&username=u%20v&db=a%2Fb'
    const form = 'auth%5Busername%5D=u&auth%5Bpassword%5D=%00%ff'
    const cookie = `${user.cookie}; adminer_sid=1; adminer_permanent=p`
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', 'x-panel-secret': 'guess', 'x-panel-user': 'me' }
    expect((await ask({ method: 'POST', path, headers, body: [form] })).status).toBe(200)
    const [passedOn] = seen
    expect([passedOn!.method, passedOn!.url, body]).toEqual(['POST', path, form])
    expect(passedOn!.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      cookie: 'adminer_sid=1',
      'x-panel-secret': 'the secret',
      'x-panel-user': user.user.id
    })
    expect(JSON.stringify(passedOn!.rawHeaders)).not.toContain(user.cookie.split('=')[1])
  }) // oxfmt-ignore

  test('returns the response with status, location, CSP and cookies', async () => {
    answer = (_request, response) => {
      response.writeHead(302, [
        ...['location', '?server=&username=u'],
        ...['content-security-policy', "script-src 'nonce-1'"],
        ...['set-cookie', 'adminer_sid=2; path=/; domain=example.com'],
        ...['set-cookie', 'panel_session=planted'],
        ...['x-powered-by', 'PHP'],
        ...['keep-alive', 'timeout=99']
      ])
      response.end()
    }
    const { status, headers } = await ask()
    expect(status).toBe(302)
    expect(headers).toMatchObject({
      location: '?server=&username=u',
      'content-security-policy': "script-src 'nonce-1'",
      'set-cookie': ['adminer_sid=2; Path=/adminer; HttpOnly; SameSite=Lax'],
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin'
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers['keep-alive']).not.toBe('timeout=99')
  })

  test('streams a large body, up to the limit', async () => {
    const mebibyte = Buffer.alloc(2 ** 20, 'x')
    let received = 0
    answer = async (request, response) => {
      received = (await buffer(request)).length
      response.end()
    }
    expect((await ask({ method: 'POST', body: Array.from({ length: 31 }, () => mebibyte) })).status).toBe(200)
    expect(received).toBe(31 * 2 ** 20)
    seen = []
    const announced = await ask({ method: 'POST', headers: { 'content-length': String(33 * 2 ** 20) } })
    expect([announced.status, await codeOf(announced)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(seen).toEqual([])
    answer = async (request, response) => {
      await text(request).catch(() => {})
      response.destroy()
    }
    const grown = await ask({ method: 'POST', body: Array.from({ length: 34 }, () => mebibyte) })
    expect([grown.status, await codeOf(grown)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('streams the response', async () => {
    let finish = () => {}
    answer = (_request, response) => {
      response.write('first')
      finish = () => response.end('last')
    }
    const { response } = await ask()
    const [first] = (await once(response, 'data')) as [Buffer]
    expect(first.toString()).toBe('first')
    finish()
    expect(await text(response)).toBe('last')
  })
})

describe('failures', () => {
  test('a missing or crashing program is 503', async () => {
    answer = (request) => void request.socket.destroy()
    const broken = await ask()
    expect([broken.status, await codeOf(broken)]).toEqual([503, 'DATABASE_ADMIN_UNAVAILABLE'])
    const without = await createTestPanel()
    const somebody = await without.signUp()
    expect((await somebody.request('GET', '/adminer/')).json()).toMatchObject({ code: 'DATABASE_ADMIN_UNAVAILABLE' })
    await without.close()
  })

  test('an interrupted response is aborted, not completed', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    }
    const { response } = await ask()
    await expect(text(response)).rejects.toThrow('aborted')
  })

  test('an aborted request is aborted upstream', async () => {
    const requested = new Promise<IncomingMessage>((resolve) => {
      answer = (request) => resolve(request)
    })
    const outgoing = send({ host: '127.0.0.1', port, path: '/adminer/', agent: false, headers: { cookie: user.cookie } })
    outgoing.on('error', () => {})
    outgoing.end()
    const passedOn = await requested
    const gone = once(passedOn.socket, 'close')
    outgoing.destroy()
    await gone
  }) // oxfmt-ignore

  test('one account cannot use all connections', async () => {
    const waiting: ServerResponse[] = []
    answer = (_request, response) => void waiting.push(response)
    const pending = Array.from({ length: 8 }, () => ask())
    await expect.poll(() => waiting.length).toBe(8)
    const refused = await ask()
    expect([refused.status, await codeOf(refused)]).toEqual([409, 'CONFLICT'])
    for (const response of waiting) response.end()
    for (const answered of await Promise.all(pending)) await answered.text()
    answer = (_request, response) => void response.end()
    await expect.poll(async () => (await ask()).status).toBe(200)
  })
})
