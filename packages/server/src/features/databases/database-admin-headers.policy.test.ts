import { describe, expect, test } from 'vitest'
import { forwardedResponseHeaders, forwardedRequestHeaders } from './database-admin-headers.policy.ts'

const session = { id: 'session-id', userId: 'user-id' }
const own = { 'x-panel-session': 'session-id', 'x-panel-user': 'user-id' }

describe('request headers', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['what a form needs goes on', { 'content-type': 'text/plain', 'content-length': '3', accept: '*/*' }, { 'content-type': 'text/plain', 'content-length': '3', accept: '*/*' }],
    ['the ways in to the panel do not', { authorization: 'Bearer panel_x', cookie: 'panel_session=x' }, {}],
    ['only its own cookies do', { cookie: 'panel_session=x; adminer_sid=1; other=2;adminer_key=3; xadminer_sid=4' }, { cookie: 'adminer_sid=1; adminer_key=3' }],
    ['but none with a password', { cookie: 'adminer_permanent=secret' }, {}],
    ['spoofed identity headers', { 'x-panel-session': 'a', 'x-panel-user': 'b', 'x-panel-secret': 'c', 'x-forwarded-for': 'd' }, {}],
    ['what concerns one connection ends here', { connection: 'keep-alive, x-a', 'transfer-encoding': 'chunked', te: 'trailers', upgrade: 'h2c', 'x-a': '1', host: 'h' }, {}]
  ])('%s', (_name, headers, expected) => expect(forwardedRequestHeaders(headers, session)).toEqual({ ...expected, ...own })) // oxfmt-ignore
})

describe('response headers', () => {
  const answered = (headers: Record<string, string | string[]>, isSecure = false) => {
    const { 'referrer-policy': policy, ...rest } = forwardedResponseHeaders(headers, { isSecure })
    expect(policy).toBe('same-origin')
    return rest
  }

  test('forwards allowlisted headers only', () => {
    const page = { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'", location: '?db=a' }
    expect(answered({ ...page, server: 'Apache', connection: 'close', 'keep-alive': '5', 'x-powered-by': 'PHP' })).toEqual(page)
  }) // oxfmt-ignore

  test("caches only Adminer's assets", () => {
    expect(answered({ 'cache-control': 'no-cache', expires: 'never' })).toEqual({})
    expect(answered({ 'cache-control': 'immutable' })).toEqual({ 'cache-control': 'private, max-age=31536000, immutable' })
  }) // oxfmt-ignore

  test.each([
    ['adminer_sid=1; path=/', ['adminer_sid=1; Path=/adminer; HttpOnly; SameSite=Lax']],
    ['adminer_key=a%3D; expires=Mon, 21 Dec 2026 15:00:25 GMT; path=/; domain=example.com; SameSite=None', ['adminer_key=a%3D; Path=/adminer; HttpOnly; SameSite=Lax; expires=Mon, 21 Dec 2026 15:00:25 GMT']],
    ['adminer_permanent=secret; path=/', undefined],
    ['panel_session=planted; path=/', undefined],
    ['', undefined]
  ])('cookie %s', (cookie, expected) => expect(answered({ 'set-cookie': [cookie] })['set-cookie']).toEqual(expected)) // oxfmt-ignore

  test('cookies are Secure if the panel uses HTTPS', () => {
    expect(answered({ 'set-cookie': ['adminer_sid=1'] }, true)['set-cookie']).toEqual(['adminer_sid=1; Path=/adminer; HttpOnly; SameSite=Lax; Secure']) // oxfmt-ignore
  })
})
