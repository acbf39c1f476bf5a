import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningPanel, startPanel } from '../support/panel.ts'
import { requestText, sendRaw, statusesIn } from './raw-http.ts'

/** Attacks by a stranger without an account. The tests run in order: before the first account exists, then after. */
const panelName = 'panel.test'
const env: Record<string, string> = { PANEL_DOMAIN: panelName, HOST: '0.0.0.0' }
let panel: RunningPanel
let setupToken: string
beforeAll(async () => {
  panel = await startPanel(env)
  setupToken = /\/setup#(\S+)/.exec(panel.output())![1]!
})
afterAll(() => panel?.dispose())

const apiPort = () => Number(new URL(panel.url).port)
const account = (name: string, more: object = {}) => ({
  name,
  email: `${name}@example.com`,
  password: 'correct horse battery',
  confirmPassword: 'correct horse battery',
  ...more
})
const accounts = async () => (await panel.query<{ role: string }>('select role from users')).map(({ role }) => role)

describe('the first account', () => {
  /** A non-loopback address of this machine, so that the panel treats the client as remote. */
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)!.address

  test.each<[string, string[], ('api' | 'proxy')?, string?]>([
    ['over the network, in the name of this machine', ['Host: localhost'], 'api', outside],
    ['over the network, in an address of this machine', ['Host: 127.0.0.1'], 'api', outside],
    ['by a page that has its name lead to this machine', ['Host: rebound.test']],
    ['by a name that only begins as this machine', ['Host: localhost.rebound.test']],
    ['by a name with something before an @', ['Host: localhost@rebound.test']],
    ['by two names', ['Host: localhost, rebound.test']],
    ['by a name with a tab', ['Host: localhost\t.rebound.test']],
    ['through a proxy that only says Via', ['Via: 1.1 somewhere']],
    ['through a proxy that only says Forwarded', ['Forwarded: for=203.0.113.9']],
    ['with the proxy’s header guessed', ['X-Panel-Proxy: 0', 'X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: localhost']],
    ['through our proxy', [`Host: ${panelName}`], 'proxy'],
    ['through our proxy, with its header guessed', [`Host: ${panelName}`, 'X-Panel-Proxy: 0'], 'proxy'],
    ['through our proxy, which is told to take its header away', [`Host: ${panelName}`, 'Connection: close, X-Panel-Proxy, X-Forwarded-For, X-Forwarded-Host, X-Forwarded-Proto, X-Real-IP'], 'proxy'],
    ['through our proxy, in the name of this machine', [`Host: ${panelName}`, 'X-Forwarded-Host: localhost', 'X_Forwarded_Host: localhost'], 'proxy']
  ])('is not created %s', async (_, headers, to = 'api', host = '127.0.0.1') => {
    const port = to === 'api' ? apiPort() : panel.proxyPort
    const answer = await sendRaw(requestText('POST', '/api/auth/register', headers, account('stranger')), { port, host })
    expect(statusesIn(answer), answer).toEqual([expect.toBeOneOf([400, 403])])
    expect(await accounts()).toEqual([])
  }) // oxfmt-ignore

  test('is not created with an absolute URL through our proxy', async () => {
    for (const host of [panelName, 'localhost']) {
      const text = requestText('POST', 'http://localhost/api/auth/register', [`Host: ${host}`], account('stranger'))
      expect(statusesIn(await sendRaw(text, { port: panel.proxyPort }))).not.toContain(201)
      const other = requestText('POST', `http://${panelName}/api/auth/register`, [`Host: ${host}`], account('stranger'))
      expect(statusesIn(await sendRaw(other, { port: panel.proxyPort }))).not.toContain(201)
    }
    expect(await accounts()).toEqual([])
  })

  test.each<[string, unknown]>([
    ['an empty token', ''],
    ['no token at all', null],
    ['a list', [[]]],
    ['an object', { length: 32 }],
    ['a very long one', 'a'.repeat(100_000)]
  ])('is not created with %s', async (_, token) => {
    const body = account('stranger', { setupToken: token })
    const text = requestText('POST', '/api/auth/register', [`Host: ${panelName}`], body)
    expect(statusesIn(await sendRaw(text, { port: panel.proxyPort }))).toEqual([expect.toBeOneOf([400, 403])])
    expect(await accounts()).toEqual([])
  })

  test('is created once by concurrent uses of the link', async () => {
    const tries = Array.from({ length: 12 }, (_, index) =>
      sendRaw(
        requestText('POST', '/api/auth/register', [`Host: ${panelName}`], account(`racer${index}`, { setupToken })),
        { port: panel.proxyPort }
      )
    )
    expect((await Promise.all(tries)).flatMap(statusesIn)).toContain(201)
    expect((await accounts()).filter((role) => role === 'ADMIN')).toHaveLength(1)
  })

  test('cannot be created again, neither with the link nor by requesting a role', async () => {
    for (const more of [{ setupToken }, { setupToken, role: 'ADMIN', permissions: ['canManageFirewall'] }, { isAdmin: true }]) {
      const body = account(`late${Math.random().toString(36).slice(2)}`, more)
      await sendRaw(requestText('POST', '/api/auth/register', ['Host: localhost'], body), { port: apiPort() })
    }
    expect((await accounts()).filter((role) => role !== 'USER')).toEqual(['ADMIN'])
  }) // oxfmt-ignore
})

describe('through the proxy', () => {
  const body = 'GET /api/health HTTP/1.1\r\nHost: panel.test\r\nX-Panel-Proxy: x\r\n\r\n'
  const post = `POST /api/auth/login HTTP/1.1\r\nHost: ${panelName}\r\nContent-Type: application/json\r\n`

  test.each([
    ['a length and chunks', `${post}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${body}`],
    ['two lengths', `${post}Content-Length: 0\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
    ['a length with a sign', `${post}Content-Length: +0\r\n\r\n${body}`],
    ['chunks by another spelling', `${post}Transfer-Encoding: \x0bchunked\r\nContent-Length: 0\r\n\r\n${body}`],
    ['chunks said twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${body}`],
    ['a folded header', `${post}X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${body}`],
    ['a space before the colon', `${post}Transfer-Encoding : chunked\r\nContent-Length: 0\r\n\r\n${body}`],
    ['a chunk of a size with a sign', `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${body}`]
  ])('no request smuggling with %s', async (_, text) => {
    const answer = await sendRaw(text, { port: panel.proxyPort })
    // Request smuggling means that the API sees a second request which the proxy did not. Two visible ones are fine.
    const seenByProxy = /HTTP\/1\.1 400/.test(answer) || statusesIn(answer).length === 2
    expect(seenByProxy || !answer.includes('"parts"'), answer).toBe(true)
    const next = await sendRaw(requestText('GET', '/api/auth/config', [`Host: ${panelName}`]), { port: panel.proxyPort })
    expect(next).toContain('allowRegistration')
  }) // oxfmt-ignore

  test.each([
    '/.well-known/acme-challenge/../../api/health',
    '/.well-known/acme-challenge/%2e%2e/%2e%2e/api/health',
    '/.well-known/acme-challenge/..%2f..%2fapi%2fhealth',
    '/.well-known/acme-challenge//api/health',
    '/.well-known/acme-challenge/x/../../../api/health',
    '/.well-known/acme-challenge/x;/../../../api/health',
    '//.well-known/acme-challenge/x/../../../api/health',
    'http://panel.test/api/health'
  ])('%s of a foreign name does not reach the API', async (path) => {
    const answer = await sendRaw(requestText('GET', path, ['Host: nobody.test']), { port: panel.proxyPort })
    expect(answer).toContain('HTTP/1.1')
    expect(answer).not.toContain('"parts"')
  })

  test.each([
    ['an upgrade to HTTP/2', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']],
    ['a WebSocket', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']]
  ])('%s opens no tunnel to the API', async (_, headers) => {
    const text = requestText('GET', '/api/auth/config', [`Host: ${panelName}`, ...headers])
    expect(statusesIn(await sendRaw(text, { port: panel.proxyPort }))).not.toContain(101)
  }) // oxfmt-ignore
})

describe('password guessing', () => {
  beforeAll(async () => {
    env.AUTH_RATE_LIMIT_MAX = '5'
    await panel.stop()
    await panel.start()
  })

  const lies: ((index: number) => string[])[] = [
    (index) => [`X-Forwarded-For: 203.0.113.${index}`],
    (index) => [`X-Forwarded-For: 203.0.113.${index}`, 'X-Panel-Proxy: 0000'],
    (index) => [`Forwarded: for=203.0.113.${index}`, `X-Real-IP: 203.0.113.${index}`],
    (index) => [`X-Forwarded-For: 203.0.113.${index}`, 'Connection: close, X-Panel-Proxy'],
    (index) => [`X_Forwarded_For: 203.0.113.${index}`, `x-forwarded-for: 127.0.0.1, 203.0.113.${index}`]
  ]
  test.each(['api', 'proxy'] as const)('no header changes the client’s identity with the %s', async (to) => {
    const from = to === 'api' ? '127.0.0.21' : '127.0.0.22'
    const login = (index: number, headers: string[], client = from) =>
      sendRaw(
        requestText('POST', to === 'api' ? '/api/auth/login' : `/api/auth/login?${index}`, [`Host: ${panelName}`, ...headers], { email: `nobody${index}@example.com`, password: 'wrong password' }),
        { port: to === 'api' ? apiPort() : panel.proxyPort, from: client }
      ) // oxfmt-ignore
    const statuses: number[] = []
    for (let index = 0; index < 20; index++)
      statuses.push(...statusesIn(await login(index, lies[index % lies.length]!(index))))
    expect(statuses).toHaveLength(20)
    expect(statuses.filter((status) => status !== 429).length, String(statuses)).toBeLessThanOrEqual(5)
    expect(statusesIn(await login(99, [], to === 'api' ? '127.0.0.23' : '127.0.0.24'))).toEqual([401])
  })
})
