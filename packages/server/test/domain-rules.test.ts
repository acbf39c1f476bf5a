import type { DomainRules, DomainRuleTest } from '@panel/contract/domain-rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { syncAllRoutes } from '../src/features/domains/routing.service.ts'
import { syncAllRules } from '../src/features/domains/rules.service.ts'
import { addDomain, addVerifiedDomain, proxyOf } from './support/domains.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let alice: Client
let bob: Client

beforeAll(async () => {
  panel = await createTestPanel({ BASE_DOMAIN: 'apps.example.net', PANEL_DOMAIN: 'panel.example.net' })
  await panel.signUp()
  alice = await panel.signUp('alice')
  bob = await panel.signUp('bob')
})
afterAll(() => panel.close())

const rulesUrl = (id: string) => `/api/domains/${id}/rules`
const save = (by: Client, id: string, rules: unknown[], version = 0) =>
  by.request('PUT', rulesUrl(id), { rules, version })
const redirect = { kind: 'REDIRECT', path: '/old', to: '/new', status: 301 }
const setOf = (id: string) => proxyOf(panel).ruleSets.get(id)

test('rules reach the proxy before the route that names them, and leave it after', async () => {
  const { id } = await addVerifiedDomain(alice, 'apply.example.com')
  expect((await alice.request('GET', rulesUrl(id))).json()).toEqual({ rules: [], version: 0 })
  const saved = await save(alice, id, [redirect])
  expect(saved.statusCode).toBe(200)
  expect(saved.json<DomainRules>()).toMatchObject({
    version: 1,
    rules: [{ ...redirect, enabled: true, match: 'PREFIX' }]
  })
  expect(setOf(id)?.rules).toHaveLength(1)
  expect(proxyOf(panel).find('apply.example.com', '/')).toMatchObject({ rules: id })
  expect((await save(alice, id, [], 1)).statusCode).toBe(200)
  expect(setOf(id)).toBeUndefined()
  expect(proxyOf(panel).find('apply.example.com', '/')).not.toHaveProperty('rules')
})

test('reconcile repairs the proxy', async () => {
  const { id } = await addVerifiedDomain(alice, 'repair.example.com')
  proxyOf(panel).fail = true
  try {
    expect((await save(alice, id, [redirect])).statusCode).toBe(200)
  } finally {
    proxyOf(panel).fail = false
  }
  expect(setOf(id)).toBeUndefined()
  expect(await syncAllRules(panel.deps)).toBe(true)
  await syncAllRoutes(panel.deps)
  expect(setOf(id)?.rules).toHaveLength(1)
  expect(proxyOf(panel).find('repair.example.com', '/')).toMatchObject({ rules: id })
  expect((await alice.request('DELETE', `/api/domains/${id}`)).statusCode).toBe(204)
  await syncAllRules(panel.deps)
  expect(setOf(id)).toBeUndefined()
})

test('an outdated version is refused', async () => {
  const { id } = await addVerifiedDomain(alice, 'version.example.com')
  expect((await save(alice, id, [redirect], 3)).json()).toMatchObject({ code: 'CONFLICT' })
})

test('only verified domains have rules, and only their owner reads them', async () => {
  const pending = await addDomain(alice, 'pending.example.com')
  expect((await save(alice, pending.id, [redirect])).json()).toMatchObject({ code: 'DOMAIN_NOT_ACTIVE' })
  const { id } = await addVerifiedDomain(alice, 'private.example.com')
  expect((await save(bob, id, [redirect])).statusCode).toBe(404)
  expect((await bob.request('GET', rulesUrl(id))).statusCode).toBe(404)
  expect((await bob.request('GET', `${rulesUrl(id)}/test?url=https://private.example.com/`)).statusCode).toBe(404)
})

test('passwords are kept as digests, never returned, and kept when omitted', async () => {
  const { id } = await addVerifiedDomain(alice, 'login.example.com')
  const login = { kind: 'LOGIN', path: '/admin', users: [{ username: 'ann', password: 'correct horse' }] }
  const first = await save(alice, id, [login])
  expect(first.body).not.toContain('correct horse')
  expect(first.json()).toMatchObject({ rules: [{ users: [{ username: 'ann' }] }] })
  const digest = () => (setOf(id)!.rules[0] as { users: { digest: string }[] }).users[0]!.digest
  const before = digest()
  expect(before).toMatch(/^[0-9A-F]{64}$/)
  const { rules, version } = first.json<DomainRules>()
  expect((await save(alice, id, [{ ...rules[0], path: '/intern' }], version)).statusCode).toBe(200)
  expect(digest()).toBe(before)
  const added = { ...rules[0], users: [{ username: 'ann' }, { username: 'bob' }] }
  const missing = await save(alice, id, [added], 2)
  expect(missing.json()).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'rules.0.users.1.password' }]
  })
})

test('a rule of another domain lends neither its id nor its passwords', async () => {
  const one = await addVerifiedDomain(alice, 'one.example.com')
  const other = await addVerifiedDomain(alice, 'other.example.com')
  const login = { kind: 'LOGIN', users: [{ username: 'ann', password: 'correct horse' }] }
  const { rules } = (await save(alice, one.id, [login])).json<DomainRules>()
  expect((await save(alice, other.id, rules)).json()).toMatchObject({ code: 'VALIDATION_ERROR' })
  const copied = await save(alice, other.id, [{ ...redirect, id: rules[0]!.id }])
  expect(copied.json<DomainRules>().rules[0]!.id).not.toBe(rules[0]!.id)
})

test('a redirect loop is found before it is saved, also over several domains', async () => {
  const apex = await addVerifiedDomain(alice, 'loop.example.com')
  const www = await addVerifiedDomain(alice, 'www.loop.example.com')
  expect((await save(alice, apex.id, [{ kind: 'REDIRECT', to: 'https://www.loop.example.com' }])).statusCode).toBe(200)
  const back = await save(alice, www.id, [{ kind: 'REDIRECT', path: '/x/y', to: 'https://loop.example.com/z/../x/y' }])
  expect(back.json()).toMatchObject({ code: 'REDIRECT_LOOP' })
  expect((await save(alice, www.id, [redirect])).statusCode).toBe(200)
})

test.each([
  ['a path that climbs', { path: '/a/../b' }],
  ['a path with a blank', { path: '/a b' }],
  ['a path that is a command', { path: '/a;clear map' }],
  ['nine segments', { path: '/1/2/3/4/5/6/7/8/9' }],
  ['a line feed in the target', { to: '/a\r\nSet-Cookie: x' }],
  ['a target without a protocol', { to: '//evil.example' }],
  ['a script', { to: 'javascript:alert(1)' }],
  ['another status', { status: 200 }]
])('refuses %s', async (_, change) => {
  const { id } = await addVerifiedDomain(alice, 'refuse.example.com').catch(async () => {
    const [domain] = (await alice.request('GET', '/api/domains?search=refuse.example.com')).json<{ id: string }[]>()
    return domain!
  })
  expect((await save(alice, id, [{ ...redirect, ...change }])).json()).toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('the tester says which rules a URL meets', async () => {
  const { id } = await addVerifiedDomain(alice, 'tester.example.com')
  const access = { kind: 'ACCESS', path: '/intern', mode: 'ALLOW', networks: ['203.0.113.0/24'] }
  await save(alice, id, [access, redirect])
  const result = async (query: string) =>
    (await alice.request('GET', `${rulesUrl(id)}/test?${query}`)).json<DomainRuleTest>()
  expect(await result('url=https://tester.example.com/old/x?y=1')).toMatchObject({
    matches: [{ number: 2, kind: 'REDIRECT' }],
    status: 301,
    location: '/new/x?y=1'
  })
  expect(await result('url=https://tester.example.com/intern')).toMatchObject({ status: 403 })
  expect(await result('url=https://tester.example.com/intern&address=203.0.113.9')).toMatchObject({ status: null })
  expect(await result('url=https://elsewhere.example.com/')).toMatchObject({ code: 'VALIDATION_ERROR' })
})
