import { eq, like } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settings } from '../src/db/schema/settings.ts'
import { users } from '../src/db/schema/users.ts'
import { createMemorySessionStore } from '../src/infra/session-store/memory-session-store.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

const minute = 60_000
let time = 1_800_000_000_000
let panel: TestPanel
let admin: Client
let token: string
let people = 0
beforeAll(async () => {
  const sessions = createMemorySessionStore(() => time)
  panel = await createTestPanel({}, { now: () => new Date(time), sessions })
  admin = await panel.signUp('admin')
  const made = await admin.request('POST', '/api/auth/tokens', { name: 'ops', scope: 'full', password })
  token = made.json<{ token: string }>().token
})
afterAll(() => panel.close())

type Ask = Client['request']
const outcome = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code]
const confirm = (by: Client, body: object = { password }) => by.request('POST', '/api/auth/confirm', body)
const byToken: Ask = (method, url, payload) =>
  panel.app.inject({
    method: method!,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload })
  })
const newAccount = (role: string) => ({ name: 'x', email: `made${++people}@example.com`, password, role })
const tenant = () => panel.createUser(admin)

/** Every action that creates access beyond the session, and the exchange of the panel's code. */
const attempts: [string, (ask: Ask) => ReturnType<Ask>][] = [
  ['a new ADMIN', (ask) => ask('POST', '/api/users', newAccount('ADMIN'))],
  ['a new RESELLER', (ask) => ask('POST', '/api/users', newAccount('RESELLER'))],
  [
    'a USER that becomes ADMIN',
    async (ask) => ask('PATCH', `/api/users/${(await tenant()).user.id}/role`, { role: 'ADMIN' })
  ],
  [
    'a USER that becomes RESELLER',
    async (ask) => ask('PATCH', `/api/users/${(await tenant()).user.id}/role`, { role: 'RESELLER' })
  ],
  [
    'another’s e-mail address',
    async (ask) => ask('PATCH', `/api/users/${(await tenant()).user.id}`, { email: `new${++people}@example.com` })
  ],
  [
    'an upgrade of the panel',
    async (ask) => {
      await panel.deps.db.delete(settings).where(like(settings.key, 'upgrade:%'))
      return ask('POST', '/api/system/upgrade', { source: 'https://releases.example.org/panel.tar.gz' })
    }
  ]
]

describe.each(attempts)('%s', (_name, action) => {
  test('requires a session with a recently confirmed password, not a token', async () => {
    await confirm(admin)
    expect((await action(admin.request)).statusCode).toBeLessThan(300)
    time += 15 * minute + 1
    expect(outcome(await action(admin.request))).toEqual([403, 'FRESH_AUTH_REQUIRED'])
    expect(outcome(await action(byToken))).toEqual([403, 'FORBIDDEN'])
    const confirmed = await confirm(admin)
    expect(confirmed.json()).toEqual({ confirmedUntil: new Date(time + 15 * minute).toISOString() })
    expect((await action(admin.request)).statusCode).toBeLessThan(300)
    expect(outcome(await action(byToken))).toEqual([403, 'FORBIDDEN'])
  })
})

test.each([
  ['shown', 'SECRET/reveal'],
  ['exported', 'export']
])('a variable is %s to a confirmed session and to a token with the scope full', async (_how, path) => {
  await confirm(admin)
  const { id } = await admin.createProject()
  await admin.request('POST', `/api/projects/${id}/env`, { key: 'SECRET', value: 'the hidden thing' })
  const reveal = (ask: Ask) => ask('GET', `/api/projects/${id}/env/${path}`)
  expect((await reveal(admin.request)).body).toContain('the hidden thing')
  time += 15 * minute + 1
  expect(outcome(await reveal(admin.request))).toEqual([403, 'FRESH_AUTH_REQUIRED'])
  expect((await reveal(byToken)).body).toContain('the hidden thing')
  await confirm(admin)
  expect((await reveal(admin.request)).statusCode).toBe(200)
})

test('harmless changes need no confirmation: a USER, a name, the same address, a removed role', async () => {
  await confirm(admin)
  const reseller = await panel.createUser(admin, { role: 'RESELLER' })
  time += 60 * minute
  const { id, email } = reseller.user
  for (const ask of [admin.request, byToken]) {
    expect((await ask('POST', '/api/users', newAccount('USER'))).statusCode).toBe(201)
    expect((await ask('PATCH', `/api/users/${id}`, { name: 'other', email })).statusCode).toBe(200)
  }
  expect((await byToken('PATCH', `/api/users/${id}/role`, { role: 'USER' })).statusCode).toBe(200)
})

describe('confirmation', () => {
  test('requires the right password and is audited either way', async () => {
    expect(outcome(await confirm(admin, { password: 'wrong one' }))).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(outcome(await confirm(admin, {}))).toEqual([400, 'VALIDATION_ERROR'])
    expect(outcome(await byToken('POST', '/api/auth/confirm', { password }))).toEqual([403, 'FORBIDDEN'])
    expect((await confirm(admin)).statusCode).toBe(200)
    const actions = (await panel.audited({ actorId: admin.user.id })).map(({ action }) => action)
    expect(actions.slice(-2)).toEqual(['auth.login_failed', 'auth.confirmed'])
  })

  test('with two-factor requires a code and uses it up', async () => {
    const bob = await panel.signUp('bob')
    const secret = new Secret({ size: 20 })
    await panel.deps.db
      .update(users)
      .set({ totpEnabled: true, totpSecret: panel.deps.secretBox.seal(secret.base32) })
      .where(eq(users.id, bob.user.id))
    const code = TOTP.generate({ secret, timestamp: time })
    expect(outcome(await confirm(bob))).toEqual([403, 'FRESH_AUTH_REQUIRED'])
    expect(outcome(await confirm(bob, { password, code: '000000x' }))).toEqual([401, '2FA_INVALID_CODE'])
    expect((await confirm(bob, { password, code })).statusCode).toBe(200)
    expect(outcome(await confirm(bob, { password, code }))).toEqual([401, '2FA_INVALID_CODE'])
  })

  test('applies to this session only, also a cached one', async () => {
    const other = await panel.signIn(admin.user.email)
    time += 20 * minute
    const create = (by: Client) => by.request('POST', '/api/users', newAccount('RESELLER'))
    expect((await create(other)).statusCode).toBe(403)
    await confirm(other)
    expect((await create(other)).statusCode).toBe(201)
    expect((await create(admin)).statusCode).toBe(403)
  })
})

test('a stolen session cannot set up two-factor; the owner can after confirming', async () => {
  const client = await panel.signUp('owner')
  time += 16 * minute
  const setup = () => client.request('POST', '/api/auth/2fa/setup')
  expect(outcome(await setup())).toEqual([403, 'FRESH_AUTH_REQUIRED'])
  expect(outcome(await client.request('POST', '/api/auth/2fa/verify-setup', { code: '123456' }))).toEqual([
    409,
    'TWO_FACTOR_NOT_ENABLED'
  ])
  await confirm(client)
  const { manualKey } = (await setup()).json<{ manualKey: string }>()
  // A setup started in time may be completed later.
  time += 16 * minute
  const code = TOTP.generate({ secret: Secret.fromBase32(manualKey), timestamp: time })
  expect((await client.request('POST', '/api/auth/2fa/verify-setup', { code })).statusCode).toBe(200)
})

test('a new password ends the API tokens unless kept', async () => {
  const client = await panel.signUp('changer')
  const newToken = async () =>
    (await client.request('POST', '/api/auth/tokens', { name: 'ci', scope: 'read', password })).json<{
      token: string
    }>().token
  const isGood = async (each: string) =>
    (await panel.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${each}` } })).statusCode === 200
  const change = (from: string, to: string, more = {}) =>
    client.request('POST', '/api/auth/change-password', {
      currentPassword: from,
      newPassword: to,
      confirmNewPassword: to,
      ...more
    })
  const [first, second] = [await newToken(), await newToken()]
  const kept = await change(password, 'another good one', { revokeTokens: false })
  expect(kept.json()).toEqual({ message: 'Password changed; other sessions are signed out' })
  expect([await isGood(first), await isGood(second)]).toEqual([true, true])
  const ended = await change('another good one', password)
  expect(ended.json()).toEqual({
    message: 'Password changed; other sessions are signed out; 2 API tokens are revoked'
  })
  expect([await isGood(first), await isGood(second)]).toEqual([false, false])
  const entries = await panel.audited({ action: 'user.password_changed', targetId: client.user.id })
  expect(entries.map(({ metadata }) => metadata)).toEqual([{}, { revokedTokens: 2 }])
})

test('a session ends after 30 days in any case, with its cookie', async () => {
  const client = await panel.signUp('slider')
  const me = () => client.request('GET', '/api/auth/me')
  const day = 24 * 60 * minute
  for (let days = 0; days < 27; days += 3) {
    time += 3 * day
    const answer = await me()
    expect([days, answer.statusCode]).toEqual([days, 200])
    const leftDays = Math.min(7, 30 - (days + 3))
    expect(answer.cookies[0]).toMatchObject({ name: 'panel_session', maxAge: (leftDays * day) / 1000 })
  }
  time += 3 * day - 1000
  expect((await me()).statusCode).toBe(200)
  time += 1000
  expect((await me()).statusCode).toBe(401)
})
