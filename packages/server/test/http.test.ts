import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { openDatabase } from '../src/db/database.ts'
import { users } from '../src/db/schema/users.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { createMemoryReverseProxy, type MemoryReverseProxy } from './fakes/memory-reverse-proxy.ts'
import { createMemorySessionStore } from '../src/infra/session-store/memory-session-store.ts'
import { createLogger } from '../src/process/logger.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

function openLog() {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    }
  })
  return {
    stream,
    text: () => text,
    lines: () =>
      text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
}

let ignored = 0
const metricsToken = 'a-metrics-token-of-some-length'
let panel: TestPanel
let admin: Client
let ann: Client
const log = openLog()
beforeAll(async () => {
  panel = await createTestPanel(
    { METRICS_TOKEN: metricsToken, LOG_LEVEL: 'debug' },
    { logger: createLogger('debug', log.stream) }
  )
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

describe('headers', () => {
  test.each<[string, () => Promise<{ headers: Record<string, unknown> }>]>([
    ['an answer', () => ann.request('GET', '/api/projects')],
    ['a refusal', () => panel.app.inject('/api/projects')],
    ['an unknown address', () => ann.request('GET', '/nowhere')],
    ['a public one', () => panel.app.inject('/api/health')]
  ])('%s has security headers and no version', async (_name, call) => {
    const { headers } = await call()
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store'
    })
    const policy = String(headers['content-security-policy'])
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"])
      expect(policy).toContain(directive)
    expect(policy).not.toMatch(/unsafe-(inline|eval)/)
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  test('401 names the authentication schemes', async () => {
    expect((await panel.app.inject('/api/projects')).headers['www-authenticate']).toBe('Bearer')
    expect((await ann.request('GET', '/api/projects')).headers).not.toHaveProperty('www-authenticate')
  })

  test('no other origin is allowed', async () => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const answer = await panel.app.inject({
        method,
        url: '/api/health',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
      })
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  test('HSTS is sent on the panel’s domain over HTTPS', async () => {
    const other = await createTestPanel({ PANEL_DOMAIN: 'panel.example.org', TRUSTED_PROXIES: '127.0.0.1' })
    const promised = async (headers = {}) =>
      (await other.app.inject({ url: '/api/health', headers })).headers['strict-transport-security']
    try {
      expect(await promised({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000')
      expect(await promised()).toBeUndefined()
    } finally {
      await other.close()
    }
  })
})

describe('URLs and methods', () => {
  test('an unknown URL: 401 without a session, else 404 in the envelope', async () => {
    for (const url of [
      '/',
      '/nowhere',
      '/api',
      '/api/nowhere',
      '/api/projects/a/b/c',
      '/favicon.ico',
      '/.env',
      '/api/projects/%00'
    ]) {
      const stranger = await panel.app.inject(url)
      expect([url, stranger.statusCode, stranger.json().code]).toEqual([url, 401, 'UNAUTHENTICATED'])
      const answer = await ann.request('GET', url)
      expect([url, answer.statusCode, answer.json()]).toEqual([
        url,
        404,
        { error: expect.any(String), code: 'NOT_FOUND' }
      ])
    }
  })

  test('an unsupported method is 405 with the allowed ones', async () => {
    const { id } = await ann.createProject()
    for (const [method, url, allow] of [
      ['PUT', '/api/auth/me', 'GET, HEAD'],
      ['DELETE', '/api/projects', 'GET, HEAD, POST'],
      ['OPTIONS', '/api/projects?page=2', 'GET, HEAD, POST'],
      ['POST', `/api/projects/${id}`, 'DELETE, GET, HEAD, PUT'],
      ['PATCH', '/api/health', 'GET, HEAD']
    ] as const) {
      const answer = await ann.request(method, url)
      expect([url, answer.statusCode, answer.json().code, answer.headers.allow]).toEqual([
        url,
        405,
        'METHOD_NOT_ALLOWED',
        allow
      ])
    }
  })

  // These are rejected by Node before routing, so only a socket sees the response.
  test.each<[string, string, number, string]>([
    ['no request', 'hello\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'a query of 30 kB',
      `GET /api/projects?search=${'x'.repeat(30_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE'
    ],
    ['a header of 70 kB', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(70_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [
      'headers of 2 MB',
      `GET / HTTP/1.1\r\nHost: a\r\n${`X-A: ${'x'.repeat(9_990)}\r\n`.repeat(200)}\r\n`,
      431,
      'HEADERS_TOO_LARGE'
    ]
  ])('%s is refused in the envelope', async (_name, sent, status, code) => {
    if (!panel.app.server.listening) await panel.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = panel.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(sent)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain('Connection: close')
    expect(JSON.parse(body)).toEqual({ error: expect.any(String), code })
  })

  test.each([
    '/api/%zz',
    '/%c0%ae%c0%ae/x',
    `/api/projects/${'x'.repeat(1000)}`,
    `/api/webhooks/gitprovider/${'x'.repeat(1000)}`
  ])('an invalid URL is 404 in the envelope without echoing it: %s', async (url) => {
    const answer = await panel.app.inject({ method: url.includes('webhooks') ? 'POST' : 'GET', url })
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Not found', code: 'NOT_FOUND' }])
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)('sign-in requires POST, not %s', async (method) => {
    for (const url of [
      '/api/auth/login?email=ann%40example.com&password=correct%20horse%20battery',
      '/api/auth/register',
      '/api/auth/logout'
    ]) {
      const answer = await panel.app.inject({ method, url })
      expect(answer.statusCode).toBe(401)
      expect(answer.cookies).toEqual([])
      expect((await ann.request(method, url)).statusCode).toBe(405)
    }
    expect((await ann.request('GET', '/api/auth/me')).statusCode).toBe(200)
  })

  test('HEAD matches GET without a body', async () => {
    for (const [client, url] of [
      [ann, '/api/projects'],
      [ann, '/api/auth/me'],
      [undefined, '/api/health'],
      [undefined, '/api/projects']
    ] as const) {
      const headers: Record<string, string> = client ? { cookie: client.cookie } : {}
      const [get, head] = [
        await panel.app.inject({ url, headers }),
        await panel.app.inject({ method: 'HEAD', url, headers })
      ]
      expect([head.statusCode, head.body]).toEqual([get.statusCode, ''])
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
    }
  })
})

describe('bodies', () => {
  const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    ann.request('POST', '/api/projects', payload, { 'content-type': 'application/json', ...headers })

  test('the limit is 2 MiB', async () => {
    const body = (size: number) => JSON.stringify({ name: 'big', type: 'NODEJS', note: 'x'.repeat(size) })
    expect((await post(body(1024 * 1024))).statusCode).toBe(201)
    const answer = await post(body(2 * 1024 * 1024))
    expect([answer.statusCode, answer.json()]).toEqual([413, { error: expect.any(String), code: 'PAYLOAD_TOO_LARGE' }])
  })

  test('an anonymous body is not read', async () => {
    const answer = await panel.app.inject({
      method: 'POST',
      url: '/api/projects',
      payload: 'x'.repeat(5 * 1024 * 1024),
      headers: { 'content-type': 'application/json' }
    })
    expect(answer.statusCode).toBe(401)
  })

  test.each(['{"__proto__":{"polluted":1},', '{"constructor":{"prototype":{"polluted":1}},'])(
    'unknown members are ignored, also: %s',
    async (begin) => {
      const name = `n${++ignored}`
      const answer = await post(`${begin}"name":"${name}x","type":"STATIC"}`)
      expect([answer.statusCode, answer.json()]).toMatchObject([201, { name: `${name}x` }])
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
    }
  )

  test.each([
    ['{', 400, 'MALFORMED_JSON'],
    ['{"a":1}x', 400, 'MALFORMED_JSON'],
    ['{"__proto__":{"name":"ab","type":"STATIC"}}', 400, 'VALIDATION_ERROR'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'MALFORMED_JSON'],
    [Buffer.from('{"name":"a\u00e9","type":"STATIC"}', 'latin1'), 400, 'MALFORMED_JSON'],
    ['{"name":"x","type":"STATIC","startCmd":"   "}', 400, 'VALIDATION_ERROR'],
    ['{"name":"xx","type":"STATIC","buildCmd":"echo \\ud800"}', 400, 'VALIDATION_ERROR'],
    ['', 400, 'VALIDATION_ERROR'],
    ['null', 400, 'VALIDATION_ERROR'],
    ['"x"', 400, 'VALIDATION_ERROR']
  ])('%j is %i %s', async (payload, status, code) => {
    const answer = await post(payload)
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense'
  ])('%s is 415', async (type) => {
    const answer = await post('{"name":"ab","type":"NODEJS"}', { 'content-type': type })
    expect([answer.statusCode, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('a body shorter than announced is refused', async () => {
    const answer = await post('{"name":"short","type":"NODEJS"}', { 'content-length': '1000' })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'MALFORMED_JSON'])
  })
})

describe('/metrics', () => {
  const metrics = (headers: Record<string, string> = {}) => panel.app.inject({ url: '/metrics', headers })

  test('requires an administrator or the token', async () => {
    expect((await metrics()).statusCode).toBe(401)
    expect((await metrics({ cookie: ann.cookie })).json().code).toBe('FORBIDDEN_ROLE')
    expect((await metrics({ cookie: ann.cookie })).statusCode).toBe(403)
    expect((await metrics({ cookie: admin.cookie })).statusCode).toBe(200)
    expect((await metrics({ authorization: `Bearer ${metricsToken}` })).statusCode).toBe(200)
  })

  test('contains feature metrics', async () => {
    const { id } = await ann.createProject({ type: 'WORDPRESS' })
    expect((await ann.request('POST', `/api/projects/${id}/build`)).statusCode).toBe(202)
    const { body } = await metrics({ cookie: admin.cookie })
    expect(body).toContain('panel_deployments_open{status="QUEUED"} 1')
    expect(body).toContain('panel_deployments_open{status="BUILDING"} 0')
  })

  test.each([
    'Bearer wrong-token-of-some-length',
    'Bearer ',
    'Bearer',
    `Basic ${metricsToken}`,
    metricsToken,
    `Bearer ${metricsToken}x`,
    `bearer ${metricsToken}`,
    'Bearer undefined'
  ])('refuses %j', async (authorization) => expect((await metrics({ authorization })).statusCode).toBe(401))

  test('the token gives access to nothing else', async () => {
    const answer = await panel.app.inject({
      url: '/api/projects',
      headers: { authorization: `Bearer ${metricsToken}` }
    })
    expect(answer.statusCode).toBe(401)
  })

  test('without METRICS_TOKEN no token is valid', async () => {
    const other = await createTestPanel()
    try {
      for (const authorization of ['Bearer undefined', 'Bearer ', `Bearer ${metricsToken}`]) {
        expect((await other.app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(401)
      }
    } finally {
      await other.close()
    }
  })

  test('counts by route, not by URL', async () => {
    // Twice with TEST_PROCESSES=2, because each process has its own counter.
    for (let n = 0; n < 2; n++) await ann.request('GET', '/api/projects/some-secret-id?token=abc')
    const { body, headers } = await metrics({ authorization: `Bearer ${metricsToken}` })
    expect(headers['content-type']).toContain('text/plain')
    expect(body).toContain('http_request_duration_seconds_count{method="GET",route="/api/projects/:id",status="404"}')
    expect(body).not.toMatch(/some-secret-id|token=abc/)
  })

  test('a revoked role takes effect immediately', async () => {
    const eve = await panel.signUp('eve')
    const role = (value: 'ADMIN' | 'USER') =>
      panel.deps.db.update(users).set({ role: value }).where(eq(users.id, eve.user.id))
    await role('ADMIN')
    expect((await metrics({ cookie: eve.cookie })).statusCode).toBe(200)
    await role('USER')
    expect((await metrics({ cookie: eve.cookie })).statusCode).toBe(403)
  })
})

describe('/api/health', () => {
  const parts = ['containerEngine', 'disk', 'git', 'imapServer', 'mailFilter', 'mailFilterStore', 'mailRewriter', 'mailSigner', 'mailTransfer', 'mysql', 'nameServer', 'postgresql', 'reverseProxy', 'sessionStore', 'sftpServer', 'store', 'worker'] // oxfmt-ignore

  test('names every component', async () => {
    const answer = await panel.app.inject('/api/health')
    expect([answer.statusCode, answer.json().status]).toEqual([200, 'ok'])
    expect(answer.json().version).toMatch(/^\d+\.\d+\.\d+/)
    expect(Object.keys(answer.json().parts).sort()).toEqual(parts)
    for (const part of parts) expect(answer.json().parts[part].status).toBe('ok')
    // Program versions must not be exposed.
    expect(answer.body).not.toContain('2.39.5')
  })

  test('names missing ones with the remedy and is still 200', async () => {
    const engine: MemoryContainerEngine = createMemoryEngine()
    const proxy: MemoryReverseProxy = createMemoryReverseProxy()
    engine.fail = 'unreachable'
    proxy.fail = true
    const sessions = {
      ...createMemorySessionStore(),
      ping: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:6379'))
    }
    const gitVersion = () => Promise.reject(new Error('git: is not installed'))
    const other = await createTestPanel({}, { engine, proxy, sessions, gitVersion })
    try {
      const answer = await other.app.inject('/api/health')
      expect([answer.statusCode, answer.json().status]).toEqual([200, 'ok'])
      expect(answer.json().parts).toEqual({
        store: { status: 'ok' },
        sessionStore: {
          status: 'unreachable',
          remedy: expect.stringContaining('Check that Redis is running'),
          sentences: [{ code: 'CHECK_SESSION_STORE' }]
        },
        containerEngine: {
          status: 'unreachable',
          remedy: expect.stringContaining('Start the container engine'),
          sentences: [{ code: 'START_ENGINE' }]
        },
        reverseProxy: {
          status: 'unreachable',
          remedy: 'Restart the panel on the server to start it',
          sentences: [{ code: 'RUN_UP' }]
        },
        nameServer: { status: 'ok' },
        postgresql: { status: 'ok' },
        mysql: { status: 'ok' },
        sftpServer: { status: 'ok' },
        imapServer: { status: 'ok' },
        mailFilter: { status: 'ok' },
        mailFilterStore: { status: 'ok' },
        mailRewriter: { status: 'ok' },
        mailSigner: { status: 'ok' },
        mailTransfer: { status: 'ok' },
        disk: { status: 'ok' },
        git: { status: 'missing', remedy: 'Install Git', sentences: [{ code: 'INSTALL_GIT' }] },
        worker: { status: 'ok' }
      })
      expect(answer.body).not.toContain('10.0.0.5')
    } finally {
      await other.close()
    }
  })

  test('starting or idle components are not probed, and the panel is starting meanwhile', async () => {
    const proxy: MemoryReverseProxy = createMemoryReverseProxy()
    proxy.fail = true
    const other = await createTestPanel({}, { proxy })
    const health = async () => (await other.app.inject('/api/health')).json()
    const { programStates } = other.deps
    try {
      programStates.set('reverseProxy', 'starting')
      programStates.setIdle('mysql', () => {})
      expect(await health()).toMatchObject({
        status: 'starting',
        parts: { reverseProxy: { status: 'starting' }, mysql: { status: 'idle' } }
      })
      programStates.set('reverseProxy', 'failed')
      await expect.poll(health, { timeout: 10_000 }).toMatchObject({
        status: 'ok',
        parts: { reverseProxy: { status: 'unreachable' }, mysql: { status: 'idle' } }
      })
      expect(programStates.of('mysql')).toBe('idle')
    } finally {
      await other.close()
    }
  })

  test('with the database down: other components are reported, the API is 503', async () => {
    const other = await createTestPanel()
    const client = await other.signUp('first')
    const { db } = other.deps
    other.deps.db = openDatabase('postgresql://nobody@127.0.0.1:1/nothing', () => {})
    const answer = await client.request('GET', '/api/projects/x')
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: expect.any(String), code: 'STORE_UNAVAILABLE' }])
    expect((await other.app.inject('/api/health')).json().parts.store).toEqual({
      status: 'unreachable',
      remedy: expect.stringContaining('panel database'),
      sentences: [{ code: 'CHECK_STORE' }]
    })
    other.deps.db = db
    expect((await client.request('GET', '/api/projects/x')).statusCode).toBe(404)
    await other.close()
  })
})

describe('/api/docs', () => {
  test('the page and its assets load without a session', async () => {
    const page = await panel.app.inject('/api/docs/')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      (match) => new URL(match[1]!, 'http://x/api/docs/').pathname
    )
    expect(sources.length).toBeGreaterThan(3)
    for (const source of sources) expect([source, (await panel.app.inject(source)).statusCode]).toEqual([source, 200])
    expect(String(page.headers['content-security-policy'])).not.toMatch(/unsafe-eval/)
  })

  test('nothing outside can be reached', async () => {
    for (const url of [
      '/api/docs/static/../../../package.json',
      '/api/docs/static/..%2f..%2fpackage.json',
      '/api/docs/..%2f..%2f..%2fetc%2fpasswd',
      '/api/docs/static/%2e%2e/%2e%2e/package.json'
    ]) {
      const answer = await panel.app.inject(url)
      expect([400, 401, 403, 404]).toContain(answer.statusCode)
      expect(answer.body).not.toMatch(/root:|"name":/)
    }
  })
})

describe('logging', () => {
  test('is JSON lines with request ids and without query strings', async () => {
    await ann.request('GET', '/api/projects?search=hidden-search&token=hidden-token')
    await panel.app.inject({
      method: 'POST',
      url: '/api/webhooks/gitprovider?projectId=x&secret=hidden-secret',
      payload: 'hidden-body'
    })
    await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'ann@example.com', password: 'hidden-password' }
    })
    const lines = log.lines()
    const request = lines.find((line) => JSON.stringify(line).includes('"path":"/api/projects"'))!
    expect(request).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      reqId: expect.any(String)
    })
    expect(log.text()).not.toMatch(/hidden-|panel_session|correct horse/)
    expect(log.text()).not.toContain(ann.cookie.split('=')[1])
  })

  test('an internal error is logged with a stack and hidden from the response', async () => {
    const logOf = openLog()
    const other = await createTestPanel({}, { logger: createLogger('info', logOf.stream) })
    other.deps.jobs = { ...other.deps.jobs, enqueue: () => Promise.reject(new TypeError('the inside is broken')) }
    try {
      const client = await other.signUp('first')
      const { id } = await client.createProject()
      const answer = await client.request('DELETE', `/api/projects/${id}`)
      expect([answer.statusCode, answer.json()]).toEqual([500, { error: 'Internal error', code: 'INTERNAL' }])
      const [line] = logOf.lines().filter((each) => each.level === 'error')
      expect(line!.err).toMatchObject({
        type: 'TypeError',
        message: 'the inside is broken',
        stack: expect.stringContaining('at ')
      })
      expect((await client.request('GET', `/api/projects/${id}`)).statusCode).toBe(200)
    } finally {
      await other.close()
    }
  })
})
