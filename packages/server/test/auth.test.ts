import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { users } from '../src/db/schema/users.ts'
import { issueSetupToken } from '../src/features/auth/first-account.service.ts'
import { listPasswordCosts } from '../src/features/users/password-costs.service.ts'
import { proxyHeader, proxySecret } from '../src/security/proxy-proof.ts'
import { cookieOf, createTestPanel, type TestPanel } from './support/panel.ts'

const password = 'correct horse battery'
const person = (name: string) => ({ name, email: `${name}@example.com`, password, confirmPassword: password })

describe('accounts', () => {
  let panel: TestPanel
  beforeAll(async () => {
    panel = await createTestPanel()
  })
  afterAll(() => panel.close())
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    panel.app.inject({ method: 'POST', url, payload, headers })

  test('exactly one of concurrent first registrations becomes administrator', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => post('/api/auth/register', person(`racer${i}`)))
    )
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(6).fill(201))
    expect(answers.filter((answer) => answer.json().role === 'ADMIN')).toHaveLength(1)
  })

  test('register responds 201 with the user and a cookie, without secrets', async () => {
    const answer = await post('/api/auth/register', person('ann'))
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      name: 'ann',
      email: 'ann@example.com',
      role: 'USER',
      permissions: [],
      totpEnabled: false,
      maxProjects: null,
      parentId: null
    })
    expect(answer.body).not.toMatch(/password|argon2|hash/i)
    const [cookie] = answer.cookies
    expect(cookie).toMatchObject({ name: 'panel_session', httpOnly: true, sameSite: 'Lax', path: '/' })
  })

  test.each([
    ['the address again, in other case', { ...person('ann'), email: 'ANN@Example.com' }, 409, 'EMAIL_EXISTS'],
    ['a short password', { ...person('bob'), password: 'short', confirmPassword: 'short' }, 400, 'VALIDATION_ERROR'],
    ['another confirmation', { ...person('bob'), confirmPassword: 'something else' }, 400, 'VALIDATION_ERROR'],
    [
      'the address as password',
      { ...person('bob'), password: 'bob@example.com', confirmPassword: 'bob@example.com' },
      400,
      'VALIDATION_ERROR'
    ],
    ['a header in the name', { ...person('bob'), name: 'bob\r\ntfa_verified=1' }, 400, 'VALIDATION_ERROR'],
    ['no address', { ...person('bob'), email: '<img onerror=x>' }, 400, 'VALIDATION_ERROR'],
    ['a number as password', { ...person('bob'), password: 12345678 }, 400, 'VALIDATION_ERROR']
  ])('register refuses %s', async (_name, body, status, code) => {
    const answer = await post('/api/auth/register', body)
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
    expect(answer.cookies).toEqual([])
  })

  test('privileged members are ignored', async () => {
    const answer = await post('/api/auth/register', {
      ...person('mallory'),
      role: 'ADMIN',
      permissions: ['canManageDns'],
      oversellingEnabled: true,
      parentId: 'x'
    })
    expect(answer.json()).toMatchObject({ role: 'USER', permissions: [], oversellingEnabled: false, parentId: null })
  })

  test('login: wrong passwords and unknown addresses get the same response', async () => {
    const right = await post('/api/auth/login', { email: 'Ann@example.com', password })
    expect([right.statusCode, right.json().email]).toEqual([200, 'ann@example.com'])
    const wrong = await post('/api/auth/login', { email: 'ann@example.com', password: 'wrong password' })
    const unknown = await post('/api/auth/login', { email: 'nobody@example.com', password: 'wrong password' })
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(unknown.json()).toEqual(wrong.json())
    expect(unknown.cookies).toEqual([])
  })

  test('hashes are upgraded on sign-in after a PASSWORD_HASH change', async () => {
    const own = await createTestPanel()
    try {
      const { user } = await own.signUp('holder')
      const hash = async () => (await own.deps.db.select().from(users).where(eq(users.id, user.id)))[0]!.passwordHash
      expect(await hash()).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
      own.deps.config = { ...own.deps.config, PASSWORD_HASH: { m: 128, t: 2 } }
      // Both hash a password, so that response times do not reveal existing addresses.
      expect(await listPasswordCosts(own.deps)).toEqual([
        { m: 128, t: 2 },
        { m: 64, t: 1 }
      ])
      await Promise.all([own.signIn(user.email), own.signIn(user.email), own.signIn(user.email)])
      const renewed = await hash()
      expect(renewed).toMatch(/^\$argon2id\$v=19\$m=128,t=2,p=1\$/)
      await own.signIn(user.email)
      expect(await hash()).toBe(renewed)
    } finally {
      await own.close()
    }
  })

  test('login creates a new session, ignores client ids and ends the old one', async () => {
    const first = cookieOf(await post('/api/auth/login', { email: 'ann@example.com', password }))
    const planted = `panel_session=${'A'.repeat(43)}`
    const second = cookieOf(await post('/api/auth/login', { email: 'ann@example.com', password }, { cookie: planted }))
    expect(second).not.toBe(planted)
    const third = cookieOf(await post('/api/auth/login', { email: 'ann@example.com', password }, { cookie: first }))
    expect(new Set([first, second, third]).size).toBe(3)
    expect((await panel.app.inject({ url: '/api/auth/me', headers: { cookie: first } })).statusCode).toBe(401)
  })

  test('a session survives the loss of the cache, but not its revocation', async () => {
    const cookie = cookieOf(await post('/api/auth/login', { email: 'ann@example.com', password }))
    const me = () => panel.app.inject({ url: '/api/auth/me', headers: { cookie } })
    await panel.deps.sessions.close()
    expect((await me()).statusCode).toBe(200)
    await panel.deps.sessions.close()
    await panel.deps.db.execute(sql`update sessions set revoked_at = now()`)
    expect((await me()).statusCode).toBe(401)
  })

  test('stored sessions cannot be used to sign in', async () => {
    const cookie = cookieOf(await post('/api/auth/login', { email: 'ann@example.com', password }))
    const { rows } = await panel.deps.db.execute<{ all: string }>(sql`select json_agg(s)::text as all from sessions s`)
    expect(rows[0]!.all).not.toContain(cookie.split('=')[1])
  })

  test('logout ends the session and clears the cookie', async () => {
    const cookie = cookieOf(await post('/api/auth/login', { email: 'ann@example.com', password }))
    const out = await panel.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie } })
    expect(out.statusCode).toBe(200)
    expect(out.cookies[0]).toMatchObject({ name: 'panel_session', value: '' })
    expect((await panel.app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode).toBe(401)
  })

  test('change-password keeps this session and ends the others', async () => {
    const eve = await panel.signUp('eve')
    const other = cookieOf(await post('/api/auth/login', { email: 'eve@example.com', password }))
    const change = (currentPassword: string, newPassword: string) =>
      eve.request('POST', '/api/auth/change-password', {
        currentPassword,
        newPassword,
        confirmNewPassword: newPassword
      })
    expect((await change('wrong one', 'another good one')).statusCode).toBe(401)
    expect((await change(password, 'EVE@example.com')).statusCode).toBe(400)
    expect((await change(password, 'another good one')).statusCode).toBe(200)
    expect((await eve.request('GET', '/api/auth/me')).statusCode).toBe(200)
    expect((await panel.app.inject({ url: '/api/auth/me', headers: { cookie: other } })).statusCode).toBe(401)
    expect((await post('/api/auth/login', { email: 'eve@example.com', password })).statusCode).toBe(401)
  })

  test.each([
    '',
    'panel_session=',
    'panel_session=x',
    'panel_session=../../etc',
    `panel_session=${'B'.repeat(43)}`,
    'panel_session=__proto__'
  ])('no session with the cookie %j', async (cookie) =>
    expect((await panel.app.inject({ url: '/api/auth/me', headers: { cookie } })).statusCode).toBe(401)
  )

  test('cross-origin writes are refused despite the cookie', async () => {
    const zoe = await panel.signUp('zoe')
    const answer = await zoe.request(
      'POST',
      '/api/projects',
      { name: 'zed', type: 'NODEJS' },
      { origin: 'https://evil.example' }
    )
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'FORBIDDEN'])
    const own = await zoe.request(
      'POST',
      '/api/projects',
      { name: 'zed', type: 'NODEJS' },
      { origin: 'http://localhost:80', host: 'localhost:80' }
    )
    expect(own.statusCode).toBe(201)
  })

  test('form content types are not parsed as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await panel.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: JSON.stringify({ email: 'a@b.c', password }),
        headers: { 'content-type': type }
      })
      expect([answer.statusCode, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
  })

  test.each([
    ['{"email": ', 'MALFORMED_JSON'],
    ['{"__proto__": {"email": "a@b.c", "password": "x"}}', 'VALIDATION_ERROR'],
    ['[]', 'VALIDATION_ERROR']
  ])('the body %s is refused with the error envelope', async (payload, code) => {
    const answer = await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload,
      headers: { 'content-type': 'application/json' }
    })
    expect([answer.statusCode, answer.json().code]).toEqual([400, code])
  })
})

describe('registration off', () => {
  test('only the first user can register', async () => {
    const panel = await createTestPanel({ ALLOW_REGISTRATION: 'false' })
    try {
      const config = () => panel.app.inject({ url: '/api/auth/config' }).then((answer) => answer.json())
      expect(await config()).toMatchObject({ requireAdmin2FA: false, allowRegistration: true })
      await panel.signUp('first')
      expect(await config()).toMatchObject({ allowRegistration: false })
      const answer = await panel.app.inject({ method: 'POST', url: '/api/auth/register', payload: person('second') })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'REGISTRATION_DISABLED'])
    } finally {
      await panel.close()
    }
  })
})

describe('the rate limit', () => {
  test('five attempts per client and route; forwarding headers change nothing', async () => {
    const panel = await createTestPanel({ AUTH_RATE_LIMIT_MAX: '5' })
    try {
      const attempt = (headers: Record<string, string>, remoteAddress = '192.0.2.7') =>
        panel.app.inject({
          method: 'POST',
          url: '/api/auth/login',
          payload: { email: 'a@example.com', password: 'x' },
          headers,
          remoteAddress
        })
      const forged = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'forwarded', 'true-client-ip']
      const statuses = []
      for (const [i, header] of forged.entries())
        statuses.push((await attempt({ [header]: `198.51.100.${i}` })).statusCode)
      expect(statuses).toEqual(Array(5).fill(401))
      const refused = await attempt({ 'x-forwarded-for': '203.0.113.9' })
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await attempt({}, '192.0.2.8')).statusCode).toBe(401)
      const elsewhere = await panel.app.inject({
        method: 'POST',
        url: '/api/auth/register',
        payload: person('x1'),
        remoteAddress: '192.0.2.7'
      })
      expect(elsewhere.statusCode).toBe(201)
      // An IPv6 /64 counts as one client.
      for (let i = 0; i < 5; i++) await attempt({}, `2001:db8:0:1::${i + 1}`)
      expect((await attempt({}, '2001:db8:0:1:ffff::1')).statusCode).toBe(429)
    } finally {
      await panel.close()
    }
  })

  test('behind a trusted proxy its header counts', async () => {
    const panel = await createTestPanel({ AUTH_RATE_LIMIT_MAX: '1', TRUSTED_PROXIES: '127.0.0.1' })
    try {
      const attempt = (ip: string) =>
        panel.app.inject({
          method: 'POST',
          url: '/api/auth/login',
          payload: { email: 'a@example.com', password: 'x' },
          headers: { 'x-forwarded-for': ip }
        })
      expect((await attempt('198.51.100.1')).statusCode).toBe(401)
      expect((await attempt('198.51.100.2')).statusCode).toBe(401)
      expect((await attempt('198.51.100.1')).statusCode).toBe(429)
    } finally {
      await panel.close()
    }
  })
})

describe('the cookie is secure', () => {
  const https = { 'x-forwarded-proto': 'https' }
  test.each([
    ['over http', {}, {}, undefined],
    ['where the panel has an https address', { API_BASE_URL: 'https://panel.example.com' }, {}, true],
    ['behind its domain', { PANEL_DOMAIN: 'panel.example.com' }, {}, true],
    ['where a trusted proxy was asked by https', { TRUSTED_PROXIES: '127.0.0.1' }, https, true],
    ['where anybody else says so', {}, https, undefined],
    ['where it is switched off', { API_BASE_URL: 'https://panel.example.com', COOKIE_SECURE: 'false' }, {}, undefined],
    ['where it is switched on', { COOKIE_SECURE: 'true' }, {}, true]
  ])('%s', async (_, env: Record<string, string>, headers, secure) => {
    const panel = await createTestPanel(env)
    try {
      const payload = person('ann')
      const answer = await panel.app.inject({ method: 'POST', url: '/api/auth/register', payload, headers })
      expect(answer.statusCode).toBe(201)
      expect(answer.cookies[0]?.secure).toBe(secure)
    } finally {
      await panel.close()
    }
  })
})

describe('the first account', () => {
  const attempt = async (
    panel: TestPanel,
    values: object = {},
    options: { remoteAddress?: string; headers?: Record<string, string> } = {}
  ) => {
    const payload = { ...person(`first${Math.random()}`), ...values }
    const answer = await panel.app.inject({ method: 'POST', url: '/api/auth/register', payload, ...options })
    return [answer.statusCode, answer.json().code ?? answer.json().role]
  }
  const elsewhere = { remoteAddress: '203.0.113.5' }
  const refused = [403, 'SETUP_TOKEN_REQUIRED']

  test('with a setup link, requires it once for remote clients', async () => {
    const panel = await createTestPanel()
    try {
      const previous = await issueSetupToken(panel.deps)
      const setupToken = await issueSetupToken(panel.deps)
      expect(setupToken).toMatch(/^[A-Za-z0-9_-]{32}$/)
      const proof = { [proxyHeader]: proxySecret(panel.deps.config), 'x-forwarded-for': '127.0.0.1' }
      for (const [values, options] of [
        [{}, elsewhere],
        [{ setupToken: previous }, elsewhere],
        [{ setupToken: '' }, elsewhere],
        // Through our proxy, through another local proxy, and by DNS rebinding to this machine.
        [{}, { headers: proof }],
        [{}, { headers: { 'x-forwarded-for': '127.0.0.1' } }],
        [{}, { headers: { via: '1.1 nginx' } }],
        [{}, { headers: { host: 'evil.example:3000' } }]
      ] as const)
        expect(await attempt(panel, values, options)).toEqual(refused)
      expect(await attempt(panel, { setupToken }, elsewhere)).toEqual([201, 'ADMIN'])
      expect(await attempt(panel, {}, elsewhere)).toEqual([201, 'USER'])
      expect(await issueSetupToken(panel.deps)).toBeUndefined()
    } finally {
      await panel.close()
    }
  })

  test('needs no link on the server itself or if none was issued', async () => {
    const panel = await createTestPanel()
    try {
      const setupToken = await issueSetupToken(panel.deps)
      expect(await attempt(panel)).toEqual([201, 'ADMIN'])
      expect(await attempt(panel, { setupToken }, elsewhere)).toEqual([201, 'USER'])
    } finally {
      await panel.close()
    }
    const other = await createTestPanel()
    try {
      expect(await attempt(other, {}, elsewhere)).toEqual([201, 'ADMIN'])
    } finally {
      await other.close()
    }
  })
})

describe('wrong passwords from many addresses', () => {
  let panel: TestPanel
  beforeAll(async () => {
    panel = await createTestPanel()
  })
  afterAll(() => panel.close())
  const attempt = async (email: string, word: string, remoteAddress: string) => {
    const payload = { email, password: word }
    const answer = await panel.app.inject({ method: 'POST', url: '/api/auth/login', payload, remoteAddress })
    return [answer.statusCode, answer.headers['retry-after']]
  }

  test.each(['ann@example.com', 'nobody@example.com'])(
    'slow down attempts for %s; the owner gets in after a wait, or at once from a known address',
    async (email) => {
      const owner = email.startsWith('ann') ? await panel.signUp('ann') : undefined
      for (let n = 0; n < 10; n++)
        expect(await attempt(email, 'wrong password', `198.51.100.${n}`)).toEqual([401, undefined])
      expect(await attempt(email, password, '203.0.113.1')).toEqual([owner ? 200 : 401, undefined])
      const five = [2, 3, 4, 5, 6].map((n) => attempt(email, 'wrong password', `203.0.113.${n}`))
      expect(await Promise.race(five)).toEqual([429, expect.stringMatching(/^[12]$/)])
      if (owner) expect(await attempt(email, password, '127.0.0.1')).toEqual([200, undefined])
      expect((await Promise.all(five)).filter(([status]) => status === 401)).toHaveLength(4)
    }
  )
})

describe('the cookie name', () => {
  let panel: TestPanel
  beforeAll(async () => {
    panel = await createTestPanel({ TRUSTED_PROXIES: '127.0.0.1' })
  })
  afterAll(() => panel.close())
  const overHttps = { 'x-forwarded-proto': 'https' }
  const signUp = async (name: string, headers: Record<string, string>) => {
    const answer = await panel.app.inject({ method: 'POST', url: '/api/auth/register', payload: person(name), headers })
    return answer.cookies[0] as unknown as { name: string; value: string } & Record<string, unknown>
  }
  const me = async (cookie: string, headers: Record<string, string>) => {
    const answer = await panel.app.inject({ url: '/api/auth/me', headers: { cookie, ...headers } })
    return answer.statusCode === 200 ? answer.json<{ name: string }>().name : answer.statusCode
  }
  const outdated = 'A'.repeat(43)

  test('over HTTPS has a __Host- prefix', async () => {
    const cookie = await signUp('ann', overHttps)
    expect(cookie).toMatchObject({ name: '__Host-panel_session', secure: true, httpOnly: true, path: '/' })
    expect(cookie.domain).toBeUndefined()
    expect(await me(`__Host-panel_session=${cookie.value}`, overHttps)).toBe('ann')
    // Cookies planted by a sibling domain are ignored.
    const planted = await signUp('mallory', {})
    expect(await me(`panel_session=${planted.value}`, overHttps)).toBe(401)
    expect(await me(`panel_session=${planted.value}; __Host-panel_session=${cookie.value}`, overHttps)).toBe('ann')
    const out = await panel.app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { cookie: `__Host-panel_session=${cookie.value}`, ...overHttps }
    })
    expect(out.cookies[0]).toMatchObject({ name: '__Host-panel_session', value: '', secure: true, path: '/' })
  })

  test('over HTTP has none', async () => {
    const cookie = await signUp('bob', {})
    expect(cookie).toMatchObject({ name: 'panel_session', httpOnly: true })
    expect(await me(`__Host-panel_session=${cookie.value}`, {})).toBe(401)
  })

  test('duplicate cookies neither lock out nor impersonate', async () => {
    const [carl, mallory] = [(await signUp('carl', {})).value, (await signUp('mallory2', {})).value]
    const among = (...values: string[]) => me(values.map((value) => `panel_session=${value}`).join('; '), {})
    for (const planted of [outdated, 'x', '', '"', `${carl}x`]) {
      expect([planted, await among(planted, carl)]).toEqual([planted, 'carl'])
      expect([planted, await among(carl, planted)]).toEqual([planted, 'carl'])
    }
    expect(await among(carl, carl)).toBe('carl')
    // With two valid sessions, the account is ambiguous.
    expect(await among(carl, mallory)).toBe(401)
    expect(await among(...Array.from({ length: 50 }, (_, n) => String(n).padStart(43, 'B')), carl)).toBe(401)
  })

  test('a sign-in replaces planted cookies', async () => {
    const dora = (await signUp('dora', {})).value
    const answer = await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'dora@example.com', password },
      headers: { cookie: `panel_session=${outdated}; panel_session=${dora}` }
    })
    const next = (answer.cookies[0] as unknown as { value: string }).value
    expect(await me(`panel_session=${dora}`, {})).toBe(401)
    expect(await me(`panel_session=${outdated}; panel_session=${next}`, {})).toBe('dora')
  })
})
