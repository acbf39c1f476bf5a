import { testRules } from '@panel/contract/domain-rule-test'
import { DomainRule, type DomainRuleTest, responseHeaders } from '@panel/contract/domain-rules'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeFile } from 'node:fs/promises'
import { loginDigest } from '../../packages/server/src/security/login-digest.ts'
import type { StoredRule } from '../../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import {
  loginKey,
  raw,
  request,
  type Seen,
  startHaproxy,
  startTestProxy,
  stopHaproxy,
  type TestProxy,
  upgradeRequest
} from './proxy.harness.ts'

let environment: TestProxy
const host = 'a.example.com'

beforeAll(async () => {
  environment = await startTestProxy()
})
afterAll(() => environment?.close())

type Given = Record<string, unknown> & { kind: DomainRule['kind'] }

const parse = (given: readonly Given[]): DomainRule[] => given.map((each) => DomainRule.parse(each))
const stored = (rules: readonly DomainRule[]): StoredRule[] =>
  rules.map((rule, index): StoredRule => {
    const id = `rule${index}`
    if (rule.kind !== 'LOGIN') return { ...rule, id }
    const users = rule.users.map(({ username, password }) => ({
      username,
      digest: loginDigest(loginKey, id, username, password!)
    }))
    return { ...rule, id, users }
  })

async function apply(given: readonly Given[]): Promise<DomainRule[]> {
  const rules = parse(given)
  await environment.proxy.syncRules([{ id: 'set', rules: stored(rules) }])
  await environment.proxy.set({ hostname: host, target: environment.first, forceHttps: false, rules: 'set' })
  return rules
}

const users = [
  { username: 'ann', password: 'correct horse' },
  { username: 'bob', password: 'pässwörd:with colon' }
]
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

const table: readonly Given[] = [
  { kind: 'ACCESS', path: '/intern', mode: 'ALLOW', networks: ['10.0.0.0/8', '2001:db8::/33'] },
  { kind: 'ACCESS', path: '/intern/open', mode: 'DENY', networks: ['127.0.0.1'] },
  { kind: 'ACCESS', path: '/blocked', mode: 'DENY', networks: ['127.0.0.0/9'] },
  { kind: 'MAINTENANCE', path: '/shop' },
  { kind: 'REDIRECT', path: '/shop/late', to: '/never' },
  { kind: 'REDIRECT', path: '/blog/special', match: 'EXACT', to: 'https://other.example.com/s#top', status: 307 },
  { kind: 'REDIRECT', path: '/blog/first', to: '/first', status: 308 },
  { kind: 'REDIRECT', path: '/blog', to: 'https://blog.example.com/', status: 301 },
  { kind: 'REDIRECT', path: '/blog/hidden', to: '/hidden' },
  { kind: 'REDIRECT', path: '/strip', to: '/', status: 302 },
  { kind: 'REDIRECT', path: '/q', to: '/search?a=1', status: 302 },
  { kind: 'REDIRECT', path: '/%C3%BCber', match: 'EXACT', to: '/about', status: 301 },
  { kind: 'REDIRECT', path: '/a/b/c/d/e/f/g/h', to: '/deep', status: 302 },
  { kind: 'REDIRECT', path: '/off', to: '/no', enabled: false },
  { kind: 'REWRITE', path: '/api', to: '/v2/api' },
  { kind: 'REWRITE', path: '/all', to: '/' },
  { kind: 'REWRITE', path: '/one', match: 'EXACT', to: '/1' },
  { kind: 'LOGIN', path: '/private', users },
  { kind: 'HEADER', path: '/assets', name: 'Cache-Control', value: 'max-age=3600; "immutable" %[src]' },
  { kind: 'HEADER', path: '/', name: 'Cache-Control', value: 'no-cache' },
  { kind: 'HEADER', path: '/assets/x', name: 'X-Frame-Options', value: 'DENY' },
  { kind: 'HSTS', path: '/' }
]

const paths = [
  ...['/', '/x', '/intern', '/intern/', '/internal', '/intern/open', '/%69ntern/x', '//intern//x', '/INTERN'],
  ...['/blocked', '/x/../blocked', '/x/%2e%2e/blocked', '/x%5cy', '/shop', '/shop/late', '/shopping'],
  ...['/blog', '/blog/', '/blog/x/y?z=1&u=%2F', '/blog?x', '/blog/special', '/blog/special/', '/blog/special?x=1'],
  ...['/blog/first', '/blog/first/2', '/blog/hidden', '/blogs', '//blog//x', '/%62log'],
  ...['/strip', '/strip/', '/strip//evil.example', '/strip/x?y', '/q?b=2', '/q/x', '/%C3%BCber', '/off'],
  ...['/a/b/c/d/e/f/g/h', '/a/b/c/d/e/f/g/h/i/j?k', '/a/b/c/d/e/f/g'],
  ...['/api', '/api/', '/api/users?id=1', '/all', '/all/x', '/one', '/one/x'],
  ...['/private', '/private/x', '/%70rivate', '/assets', '/assets/x/y', '/.well-known/acme-challenge/x/y']
]

async function answerOf(target: string): Promise<Omit<DomainRuleTest, 'matches'>> {
  const { status, headers, body } = await request(environment.httpPort, target, { host })
  const names = [...responseHeaders, 'Strict-Transport-Security']
  const set = names.filter((name) => headers[name.toLowerCase()] !== undefined)
  return {
    status: status === 200 ? null : status,
    location: headers.location ?? null,
    path: status === 200 ? (JSON.parse(body) as Seen).url : '',
    headers: Object.fromEntries(set.map((name) => [name, String(headers[name.toLowerCase()])]))
  }
}

function expected(rules: readonly DomainRule[], target: string): Omit<DomainRuleTest, 'matches'> {
  const [path = '', query] = target.split('?')
  const isIn = (networks: readonly string[]) => networks.some((network) => network.startsWith('127.'))
  const { matches: _, ...result } = testRules(rules, { isHttps: false, path, query, isIn })
  const seen = query === undefined ? result.path : `${result.path}?${query}`
  return { ...result, path: result.status === null ? seen : '' }
}

describe('the proxy does what the tester says', () => {
  let rules: DomainRule[]
  beforeAll(async () => {
    rules = await apply(table)
  })
  test.each(paths)('%s', async (path) => {
    const answer = await answerOf(path)
    const wanted = expected(rules, path)
    // The proxy's own pages have a Cache-Control of their own unless a rule sets it.
    expect(answer).toEqual(wanted)
  })
})

test('a login lets in by user and password, which the site does not see', async () => {
  await apply([{ kind: 'LOGIN', path: '/private', users }])
  const status = async (headers: Record<string, string>, path = '/private') =>
    (await request(environment.httpPort, path, { host, headers })).status
  expect(await status({})).toBe(401)
  for (const { username, password } of users) expect(await status(basic(`${username}:${password}`))).toBe(200)
  for (const text of ['ann:', 'ann:wrong horse', 'bob:correct horse', ':', 'ann', ''])
    expect(await status(basic(text))).toBe(401)
  expect(await status({ authorization: `Bearer ${'a'.repeat(3000)}` })).toBe(401)
  expect(await status({ authorization: `BASIC ${Buffer.from('ann:correct horse').toString('base64')}` })).toBe(200)
  const { body } = await request(environment.httpPort, '/private', { host, headers: basic('ann:correct horse') })
  expect((JSON.parse(body) as Seen).headers).not.toHaveProperty('authorization')
})

test('a body over the maximum, or of unknown length, is refused', async () => {
  await apply([{ kind: 'MAX_BODY', bytes: 10 }])
  const status = async (headers: Record<string, string>, text: string) => {
    const head = Object.entries({ Host: host, Connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`
    )
    return (
      await raw(environment.httpPort, `POST / HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${text}`, '\r\n')
    ).text.slice(9, 12)
  }
  expect(await status({ 'Content-Length': '10' }, '0123456789')).toBe('200')
  expect(await status({ 'Content-Length': '11' }, '')).toBe('413')
  expect(await status({ 'Content-Length': '99999999999' }, '')).toBe('413')
  expect(await status({ 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n')).toBe('411')
})

test('WebSockets pass a site with rules', async () => {
  await apply([
    { kind: 'TIMEOUT', seconds: 1 },
    { kind: 'HEADER', name: 'X-Frame-Options', value: 'DENY' }
  ])
  const { text, socket } = await raw(environment.httpPort, upgradeRequest(host), '/chat:hello')
  expect(text).toContain('101 Switching Protocols')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  socket.write('still here')
  expect(String((await once(socket, 'data'))[0])).toBe('still here')
  socket.destroy()
})

test('ACME challenges and the panel are out of the reach of rules', async () => {
  await apply([{ kind: 'MAINTENANCE' }])
  const seen = await request(environment.httpPort, '/.well-known/acme-challenge/token', { host })
  expect(JSON.parse(seen.body)).toMatchObject({ name: 'panel' })
  await environment.proxy.set({ hostname: host, target: { kind: 'panel' }, forceHttps: false, rules: 'set' })
  expect(JSON.parse((await request(environment.httpPort, '/', { host })).body)).toMatchObject({ name: 'panel' })
})

test('stopped sites and hosts without a project have rules too', async () => {
  await apply([{ kind: 'REDIRECT', path: '/old', to: '/new' }])
  for (const [kind, status] of [
    ['stopped', 503],
    ['starting', 503],
    ['nothing', 404]
  ] as const) {
    await environment.proxy.set({ hostname: host, target: { kind }, forceHttps: false, rules: 'set' })
    expect((await request(environment.httpPort, '/old', { host })).status).toBe(302)
    expect((await request(environment.httpPort, '/x', { host })).status).toBe(status)
  }
})

test('a set that is not loaded answers 503 instead of letting everyone in', async () => {
  await apply([{ kind: 'LOGIN', users }])
  await environment.proxy.syncRules([])
  expect((await request(environment.httpPort, '/', { host })).status).toBe(503)
})

test('rules survive a restart, and a sync repairs what a hand has changed', async () => {
  const rules = await apply([{ kind: 'REDIRECT', path: '/old', to: '/new' }])
  const sets = [{ id: 'set', rules: stored(rules) }]
  expect(await environment.proxy.syncRules(sets)).toBe(false)
  await stopHaproxy(environment.options)
  await startHaproxy(environment.options)
  expect((await request(environment.httpPort, '/old', { host })).headers.location).toBe('/new')
  await writeFile(environment.paths.rules, 'z=set 1\n')
  await stopHaproxy(environment.options)
  await startHaproxy(environment.options)
  expect((await request(environment.httpPort, '/old', { host })).status).toBe(200)
  expect(await environment.proxy.syncRules(sets)).toBe(true)
  expect((await request(environment.httpPort, '/old', { host })).status).toBe(302)
})

test('one changed rule changes its entries only', async () => {
  await apply([
    { kind: 'REDIRECT', path: '/old', to: '/new' },
    { kind: 'REDIRECT', path: '/kept', to: '/same' }
  ])
  const before = stored(parse([{ kind: 'REDIRECT', path: '/old', to: '/new' }]))
  const after = stored(parse([{ kind: 'REDIRECT', path: '/old2', to: '/new2' }]))
  await environment.proxy.changeRules([{ id: 'set', rules: before }], [{ id: 'set', rules: after }])
  const location = async (path: string) => (await request(environment.httpPort, path, { host })).headers.location
  expect(await Promise.all(['/old', '/old2', '/kept'].map(location))).toEqual([undefined, '/new2', '/same'])
})
