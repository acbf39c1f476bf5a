import { sql } from 'drizzle-orm'
import type { LightMyRequestResponse } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemorySessionStore } from '../src/infra/session-store/memory-session-store.ts'
import { enrolTwoFactor } from '../src/features/two-factor/two-factor.service.ts'
import { type Client, cookieOf, createTestPanel, type TestPanel } from './support/panel.ts'

const password = 'correct horse battery'
const stepMs = 30_000

interface Enrolled {
  client: Client
  secret: string
  recoveryCodes: string[]
}

describe('two-factor', () => {
  // Each step of the test clock is one TOTP step.
  let time = 1_800_000_000_000
  let panel: TestPanel
  let admin: Client
  let people = 0
  beforeAll(async () => {
    panel = await createTestPanel({}, { now: () => new Date(time), sessions: createMemorySessionStore(() => time) })
    admin = await panel.signUp('admin')
  })
  afterAll(() => panel.close())

  const post = (url: string, payload: object) => panel.app.inject({ method: 'POST', url, payload })
  const me = (cookie: string) => panel.app.inject({ url: '/api/auth/me', headers: { cookie } })
  const login = (client: Client, withPassword = password) =>
    post('/api/auth/login', { email: client.user.email, password: withPassword })
  const challengeOf = async (client: Client) => (await login(client)).json<{ challengeToken: string }>().challengeToken
  const answer = (challengeToken: unknown, code: unknown) => post('/api/auth/2fa/challenge', { challengeToken, code })
  const codeOf = (secret: string, steps = 0) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: time + steps * stepMs })
  const wrongCodeOf = (secret: string) => {
    const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!
  }
  const nextStep = () => (time += stepMs)
  const outcome = (response: LightMyRequestResponse) => [response.statusCode, response.json().code]
  const expectRefused = (response: LightMyRequestResponse) => {
    expect(outcome(response)).toEqual([401, '2FA_INVALID_CODE'])
    expect(response.cookies).toEqual([])
  }
  const statuses = (responses: LightMyRequestResponse[]) => responses.map((each) => each.statusCode).sort()
  const auditOf = async (targetId: string) => (await panel.audited({ targetId })).map((row) => row.action)

  async function enrol(): Promise<Enrolled> {
    const client = await panel.signUp(`holder${++people}`)
    const setup = await client.request('POST', '/api/auth/2fa/setup')
    const { manualKey: secret } = setup.json<{ manualKey: string }>()
    const verified = await client.request('POST', '/api/auth/2fa/verify-setup', { code: codeOf(secret) })
    nextStep()
    return { client, secret, recoveryCodes: verified.json<{ recoveryCodes: string[] }>().recoveryCodes }
  }

  describe('setup', () => {
    test('shows the encrypted secret once and waits for a code', async () => {
      const client = await panel.signUp('ann')
      const setup = await client.request('POST', '/api/auth/2fa/setup')
      expect(setup.statusCode).toBe(200)
      const { otpauthUrl, qrDataUrl, manualKey } = setup.json<Record<string, string>>()
      expect(manualKey).toMatch(/^[A-Z2-7]{32}$/)
      expect(otpauthUrl).toContain(`secret=${manualKey}`)
      expect(otpauthUrl).toMatch(/^otpauth:\/\/totp\//)
      expect(qrDataUrl).toMatch(/^data:image\/png;base64,/)
      expect((await me(client.cookie)).json().totpEnabled).toBe(false)
      expect((await login(client)).statusCode).toBe(200)
      const { rows } = await panel.deps.db.execute<{ sealed: string }>(
        sql`select totp_secret as sealed from users where id = ${client.user.id}`
      )
      expect(rows[0]!.sealed).toMatch(/^[0-9a-f]{24}:[0-9a-f]{32}:[0-9a-f]+$/)
      expect(panel.deps.secretBox.open(rows[0]!.sealed)).toBe(manualKey)
    })

    test('a second setup replaces the first', async () => {
      const client = await panel.signUp('twice')
      const secretOf = async () => (await client.request('POST', '/api/auth/2fa/setup')).json().manualKey as string
      const [first, second] = [await secretOf(), await secretOf()]
      const verify = (secret: string) => client.request('POST', '/api/auth/2fa/verify-setup', { code: codeOf(secret) })
      expectRefused(await verify(first))
      expect((await verify(second)).statusCode).toBe(200)
    })

    test('verify-setup enables it, returns ten codes and ends other sessions', async () => {
      const client = await panel.signUp('bob')
      const other = cookieOf(await login(client))
      expect((await me(other)).statusCode).toBe(200)
      const secret = (await client.request('POST', '/api/auth/2fa/setup')).json().manualKey as string
      const verified = await client.request('POST', '/api/auth/2fa/verify-setup', { code: codeOf(secret) })
      expect(verified.statusCode).toBe(200)
      const { recoveryCodes } = verified.json<{ recoveryCodes: string[] }>()
      expect(new Set(recoveryCodes).size).toBe(10)
      expect((await me(client.cookie)).json().totpEnabled).toBe(true)
      expect((await me(other)).statusCode).toBe(401)
      const { rows } = await panel.deps.db.execute<{ hash: string }>(
        sql`select code_hash as hash from recovery_codes where user_id = ${client.user.id}`
      )
      expect(rows).toHaveLength(10)
      expect(rows.every(({ hash }) => hash.startsWith('$argon2id$'))).toBe(true)
      expect(await auditOf(client.user.id)).toContain('user.2fa_enabled')
    })

    test.each([
      ['a wrong code', '/api/auth/2fa/verify-setup', undefined, [401, '2FA_INVALID_CODE']],
      ['a number', '/api/auth/2fa/verify-setup', 123456, [400, 'VALIDATION_ERROR']],
      ['a list', '/api/auth/2fa/verify-setup', ['123456'], [400, 'VALIDATION_ERROR']],
      ['five digits', '/api/auth/2fa/verify-setup', '12345', [400, 'VALIDATION_ERROR']],
      ['digits of another script', '/api/auth/2fa/verify-setup', '１２３４５６', [400, 'VALIDATION_ERROR']]
    ])('verify-setup refuses %s', async (_name, url, code, expected) => {
      const client = await panel.signUp(`refused${++people}`)
      const secret = (await client.request('POST', '/api/auth/2fa/setup')).json().manualKey as string
      expect(outcome(await client.request('POST', url, { code: code ?? wrongCodeOf(secret) }))).toEqual(expected)
      expect((await me(client.cookie)).json().totpEnabled).toBe(false)
    })

    test('conflicts: setup and verification at the wrong time', async () => {
      const client = await panel.signUp('eager')
      const verify = (code: string) => client.request('POST', '/api/auth/2fa/verify-setup', { code })
      expect(outcome(await verify('123456'))).toEqual([409, 'TWO_FACTOR_NOT_ENABLED'])
      const { client: holder, secret } = await enrol()
      expect(outcome(await holder.request('POST', '/api/auth/2fa/setup'))).toEqual([409, 'TWO_FACTOR_ENABLED'])
      expect(outcome(await holder.request('POST', '/api/auth/2fa/verify-setup', { code: codeOf(secret) }))).toEqual([
        409,
        'TWO_FACTOR_ENABLED'
      ])
    })

    test('of concurrent verifications one returns valid codes', async () => {
      const client = await panel.signUp('parallel')
      const secret = (await client.request('POST', '/api/auth/2fa/setup')).json().manualKey as string
      const code = codeOf(secret)
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => client.request('POST', '/api/auth/2fa/verify-setup', { code }))
      )
      expect(statuses(answers)).toEqual([200, 409, 409, 409])
      const { recoveryCodes } = answers.find((each) => each.statusCode === 200)!.json<{ recoveryCodes: string[] }>()
      expect((await answer(await challengeOf(client), recoveryCodes[0])).statusCode).toBe(200)
    })

    test.each([
      ['POST', '/api/auth/2fa/setup', undefined],
      ['POST', '/api/auth/2fa/verify-setup', { code: '123456' }],
      ['POST', '/api/auth/2fa/disable', { password, codeOrRecovery: '123456' }],
      ['POST', '/api/auth/2fa/recovery-codes', { password, codeOrRecovery: '123456' }],
      ['POST', '/api/users/x/2fa/reset', undefined]
    ] as const)('%s %s needs a session', async (method, url, payload) =>
      expect((await panel.app.inject({ method, url, ...(payload && { payload }) })).statusCode).toBe(401)
    )
  })

  describe('sign-in', () => {
    test('login returns a challenge; its code returns the user and cookie', async () => {
      const { client, secret } = await enrol()
      const first = await login(client)
      expect(first.statusCode).toBe(202)
      expect(first.cookies).toEqual([])
      expect(first.json()).toEqual({ requires2FA: true, challengeToken: expect.stringMatching(/^[\w-]{43}$/) })
      const second = await answer(first.json().challengeToken, codeOf(secret))
      expect(second.statusCode).toBe(200)
      expect(second.json()).toMatchObject({ id: client.user.id, totpEnabled: true })
      expect((await me(cookieOf(second))).json().id).toBe(client.user.id)
      expect((await auditOf(client.user.id)).slice(-2)).toEqual(['user.2fa_enabled', 'auth.login'])
    })

    test('a wrong password is refused before two-factor', async () => {
      const { client } = await enrol()
      expect(outcome(await login(client, 'wrong password'))).toEqual([401, 'INVALID_CREDENTIALS'])
    })

    test.each([
      ['two steps behind', -2, 401],
      ['one step behind', -1, 200],
      ['one step ahead', 1, 200],
      ['two steps ahead', 2, 401]
    ])('a clock %s', async (_name, steps, status) => {
      const { client, secret } = await enrol()
      nextStep() // Enrollment used a step within the allowed drift.
      const response = await answer(await challengeOf(client), codeOf(secret, steps))
      expect(response.statusCode).toBe(status)
    })

    test('a code is valid once, older ones never', async () => {
      const { client, secret } = await enrol()
      nextStep()
      const code = codeOf(secret)
      const older = codeOf(secret, -1)
      expect((await answer(await challengeOf(client), code)).statusCode).toBe(200)
      expectRefused(await answer(await challengeOf(client), code))
      expectRefused(await answer(await challengeOf(client), older))
      nextStep()
      expectRefused(await answer(await challengeOf(client), code))
      expect((await answer(await challengeOf(client), codeOf(secret))).statusCode).toBe(200)
    })

    test('the setup code cannot sign in', async () => {
      const client = await panel.signUp('fresh')
      const secret = (await client.request('POST', '/api/auth/2fa/setup')).json().manualKey as string
      const code = codeOf(secret)
      await client.request('POST', '/api/auth/2fa/verify-setup', { code })
      expectRefused(await answer(await challengeOf(client), code))
    })

    test('one TOTP code works once in eight concurrent challenges', async () => {
      const { client, secret } = await enrol()
      const challenges = await Promise.all(Array.from({ length: 8 }, () => challengeOf(client)))
      const answers = await Promise.all(challenges.map((challenge) => answer(challenge, codeOf(secret))))
      expect(statuses(answers)).toEqual([200, ...Array<number>(7).fill(401)])
    })

    test('one recovery code works once in eight concurrent uses', async () => {
      const { client, recoveryCodes } = await enrol()
      const challenges = await Promise.all(Array.from({ length: 8 }, () => challengeOf(client)))
      const answers = await Promise.all(challenges.map((challenge) => answer(challenge, recoveryCodes[3])))
      expect(statuses(answers)).toEqual([200, ...Array<number>(7).fill(401)])
      expect(await auditOf(client.user.id)).toEqual(
        expect.arrayContaining(['auth.login', 'auth.recovery_code_used', 'auth.2fa_failed'])
      )
    })

    test('one challenge works once with two valid codes', async () => {
      const { client, secret } = await enrol()
      nextStep()
      const challenge = await challengeOf(client)
      const codes = [codeOf(secret, 0), codeOf(secret, 1), codeOf(secret, 0), codeOf(secret, 1)]
      const answers = await Promise.all(codes.map((code) => answer(challenge, code)))
      expect(statuses(answers)).toEqual([200, 401, 401, 401])
    })

    test('a recovery code works once in any spelling', async () => {
      const { client, recoveryCodes } = await enrol()
      const [first, second] = recoveryCodes as [string, string]
      expect((await answer(await challengeOf(client), ` ${first.toUpperCase().replace('-', ' ')} `)).statusCode).toBe(
        200
      )
      expectRefused(await answer(await challengeOf(client), first))
      expect((await answer(await challengeOf(client), second)).statusCode).toBe(200)
      const { rows } = await panel.deps.db.execute<{ used: number }>(
        sql`select count(used_at)::int as used from recovery_codes where user_id = ${client.user.id}`
      )
      expect(rows[0]!.used).toBe(2)
    })

    test('a challenge survives a wrong code and ends on success', async () => {
      const { client, secret, recoveryCodes } = await enrol()
      const challenge = await challengeOf(client)
      expectRefused(await answer(challenge, wrongCodeOf(secret)))
      expect((await answer(challenge, codeOf(secret))).statusCode).toBe(200)
      expectRefused(await answer(challenge, recoveryCodes[0]))
    })

    test('five wrong codes end a challenge, also concurrently', async () => {
      const { client, secret } = await enrol()
      const challenge = await challengeOf(client)
      const wrong = await Promise.all(Array.from({ length: 9 }, () => answer(challenge, wrongCodeOf(secret))))
      wrong.forEach(expectRefused)
      const checked = (await auditOf(client.user.id)).filter((action) => action === 'auth.2fa_failed')
      expect(checked).toHaveLength(5)
      expectRefused(await answer(challenge, codeOf(secret)))
      expect((await answer(await challengeOf(client), codeOf(secret))).statusCode).toBe(200)
    })

    test('a challenge expires after five minutes', async () => {
      const { client, secret } = await enrol()
      const challenge = await challengeOf(client)
      time += 299_000
      const late = await challengeOf(client)
      time += 1_000
      expectRefused(await answer(challenge, codeOf(secret)))
      expect((await answer(late, codeOf(secret))).statusCode).toBe(200)
    })

    test.each([
      ['a password change', async ({ client }: Enrolled) => changePassword(client)],
      ['a reset', async ({ client }: Enrolled) => admin.request('POST', `/api/users/${client.user.id}/2fa/reset`)],
      [
        'disabling',
        async ({ client, recoveryCodes }: Enrolled) =>
          client.request('POST', '/api/auth/2fa/disable', { password, codeOrRecovery: recoveryCodes[9] })
      ],
      [
        'a suspension',
        async ({ client }: Enrolled) =>
          panel.deps.db.execute(sql`update users set suspended_at = now() where id = ${client.user.id}`)
      ],
      [
        'a deletion',
        async ({ client }: Enrolled) => {
          await panel.deps.db.execute(sql`delete from users where id = ${client.user.id}`)
        }
      ]
    ])('a challenge is void after %s', async (_name, operation) => {
      const enrolled = await enrol()
      const challenge = await challengeOf(enrolled.client)
      await operation(enrolled)
      expectRefused(await answer(challenge, codeOf(enrolled.secret)))
      expectRefused(await answer(challenge, enrolled.recoveryCodes[0]))
    })

    const changePassword = (client: Client) =>
      client.request('POST', '/api/auth/change-password', {
        currentPassword: password,
        newPassword: 'another good one',
        confirmNewPassword: 'another good one'
      })

    test.each([
      ['a number as code', 'x'.repeat(43), 123456],
      ['a list as code', 'x'.repeat(43), ['123456']],
      ['an object as code', 'x'.repeat(43), { $gt: '' }],
      ['a short code', 'x'.repeat(43), '12345'],
      ['a long code', 'x'.repeat(43), '1'.repeat(33)],
      ['a number as challenge', 5, '123456'],
      ['no challenge', undefined, '123456'],
      ['an empty challenge', '', '123456']
    ])('the challenge refuses %s', async (_name, challenge, code) =>
      expect(outcome(await answer(challenge, code))).toEqual([400, 'VALIDATION_ERROR'])
    )

    test.each(['x'.repeat(43), '__proto__', 'session:x', '../../x', '\u0000'])('no challenge %j', async (token) =>
      expectRefused(await answer(token, '123456'))
    )

    test('session cookies and challenges are not interchangeable', async () => {
      const { client, secret } = await enrol()
      expectRefused(await answer(client.cookie.split('=')[1], codeOf(secret)))
      expect((await me(`panel_session=${await challengeOf(client)}`)).statusCode).toBe(401)
    })

    test('a code of another account is refused', async () => {
      const [one, two] = [await enrol(), await enrol()]
      expectRefused(await answer(await challengeOf(one.client), codeOf(two.secret)))
      expectRefused(await answer(await challengeOf(one.client), two.recoveryCodes[0]))
    })

    test('the old session ends with the new one', async () => {
      const { client, secret } = await enrol()
      const response = await panel.app.inject({
        method: 'POST',
        url: '/api/auth/2fa/challenge',
        payload: { challengeToken: await challengeOf(client), code: codeOf(secret) },
        headers: { cookie: client.cookie }
      })
      expect(cookieOf(response)).not.toBe(client.cookie)
      expect((await me(client.cookie)).statusCode).toBe(401)
    })
  })

  describe('disable', () => {
    const disable = (client: Client, codeOrRecovery: unknown, withPassword: unknown = password) =>
      client.request('POST', '/api/auth/2fa/disable', { password: withPassword, codeOrRecovery })

    test.each([
      ['a TOTP code', ({ secret }: Enrolled) => codeOf(secret)],
      ['a recovery code', ({ recoveryCodes }: Enrolled) => recoveryCodes[5]!]
    ])('with password and %s it deletes everything and ends other sessions', async (_name, proof) => {
      const enrolled = await enrol()
      const { client, recoveryCodes } = enrolled
      const other = cookieOf(await answer(await challengeOf(client), recoveryCodes[0]))
      const response = await disable(client, proof(enrolled))
      expect([response.statusCode, Object.keys(response.json())]).toEqual([200, ['message']])
      expect((await me(client.cookie)).json().totpEnabled).toBe(false)
      expect((await me(other)).statusCode).toBe(401)
      const { rows } = await panel.deps.db.execute(
        sql`select totp_secret, totp_last_step, (select count(*)::int from recovery_codes r where r.user_id = u.id) as codes
            from users u where id = ${client.user.id}`
      )
      expect(rows[0]).toEqual({ totp_secret: null, totp_last_step: null, codes: 0 })
      expect(await auditOf(client.user.id)).toContain('user.2fa_disabled')
      expect((await login(client)).statusCode).toBe(200)
    })

    test('refuses a wrong password, wrong or used code, other types, and when off', async () => {
      const { client, secret, recoveryCodes } = await enrol()
      await answer(await challengeOf(client), recoveryCodes[0])
      expect(outcome(await disable(client, codeOf(secret), 'wrong password'))).toEqual([401, 'INVALID_CREDENTIALS'])
      expectRefused(await disable(client, wrongCodeOf(secret)))
      expectRefused(await disable(client, recoveryCodes[0]))
      expect((await disable(client, 123456)).statusCode).toBe(400)
      expect((await disable(client, '123456', ['x'])).statusCode).toBe(400)
      expect((await me(client.cookie)).json().totpEnabled).toBe(true)
      expect((await disable(client, codeOf(secret))).statusCode).toBe(200)
      expect(outcome(await disable(client, codeOf(secret)))).toEqual([409, 'TWO_FACTOR_NOT_ENABLED'])
    })
  })

  describe('new recovery codes', () => {
    const renew = (client: Client, codeOrRecovery: unknown, withPassword: unknown = password) =>
      client.request('POST', '/api/auth/2fa/recovery-codes', { password: withPassword, codeOrRecovery })

    test.each([
      ['a TOTP code', ({ secret }: Enrolled) => codeOf(secret)],
      ['the last recovery code', ({ recoveryCodes }: Enrolled) => recoveryCodes[9]!]
    ])('with password and %s returns ten new ones, and old ones are invalid', async (_name, proof) => {
      const enrolled = await enrol()
      const { client, recoveryCodes: before } = enrolled
      const other = cookieOf(await answer(await challengeOf(client), before[0]))
      const response = await renew(client, proof(enrolled))
      expect(response.statusCode).toBe(200)
      const { recoveryCodes } = response.json<{ recoveryCodes: string[] }>()
      expect(new Set([...before, ...recoveryCodes]).size).toBe(20)
      expect((await me(other)).statusCode).toBe(200)
      expectRefused(await answer(await challengeOf(client), before[1]))
      expect((await answer(await challengeOf(client), recoveryCodes[9])).statusCode).toBe(200)
      expect(await auditOf(client.user.id)).toContain('user.recovery_codes_renewed')
    })

    test('wrong credentials change nothing', async () => {
      const { client, secret, recoveryCodes } = await enrol()
      expect(outcome(await renew(client, codeOf(secret), 'wrong password'))).toEqual([401, 'INVALID_CREDENTIALS'])
      expectRefused(await renew(client, wrongCodeOf(secret)))
      expect((await renew(client, 123456)).statusCode).toBe(400)
      expect((await answer(await challengeOf(client), recoveryCodes[3])).statusCode).toBe(200)
      const without = await panel.signUp('without')
      expect(outcome(await renew(without, '123456'))).toEqual([409, 'TWO_FACTOR_NOT_ENABLED'])
    })
  })

  test('no codes are hashed without valid credentials', async () => {
    const { client, secret } = await enrol()
    const { base } = panel.deps.settings
    const cost = base.PASSWORD_HASH
    const renew = (withPassword: string, codeOrRecovery: string) =>
      client.request('POST', '/api/auth/2fa/recovery-codes', { password: withPassword, codeOrRecovery })
    // Invalid cost, so that hashing fails.
    Object.assign(base, { PASSWORD_HASH: { m: 0, t: 0 } })
    try {
      expect(outcome(await renew('wrong password', codeOf(secret)))).toEqual([401, 'INVALID_CREDENTIALS'])
      expectRefused(await renew(password, wrongCodeOf(secret)))
      expect((await renew(password, codeOf(secret))).statusCode).toBe(500)
    } finally {
      Object.assign(base, { PASSWORD_HASH: cost })
    }
    expect((await renew(password, codeOf(secret))).statusCode).toBe(200)
  })

  describe('reset by an administrator', () => {
    test('clears everything and ends sessions and tokens', async () => {
      const { client } = await enrol()
      const { id } = client.user
      await panel.deps.db.execute(
        sql`insert into api_tokens (id, user_id, name, token_hash, scope, expires_at)
            values (${id}, ${id}, 'ci', ${id}, 'full', now() + interval '1 year')`
      )
      expect((await admin.request('POST', `/api/users/${id}/2fa/reset`)).statusCode).toBe(200)
      expect((await me(client.cookie)).statusCode).toBe(401)
      const again = await login(client)
      expect([again.statusCode, again.json().totpEnabled]).toEqual([200, false])
      const { rows: left } = await panel.deps.db.execute(
        sql`select totp_secret, (select count(*)::int from recovery_codes where user_id = ${id}) as codes,
            (select count(*)::int from api_tokens where user_id = ${id}) as tokens from users where id = ${id}`
      )
      expect(left).toEqual([{ totp_secret: null, codes: 0, tokens: 0 }])
      const entries = await panel.audited({ targetId: id, action: 'user.2fa_reset' })
      expect(entries.map(({ actorId }) => actorId)).toEqual([admin.user.id])
    })

    test('404 for missing users, 403 for others and oneself', async () => {
      const { client } = await enrol()
      expect(outcome(await admin.request('POST', '/api/users/nobody/2fa/reset'))).toEqual([404, 'NOT_FOUND'])
      for (const id of [client.user.id, admin.user.id]) {
        expect(outcome(await client.request('POST', `/api/users/${id}/2fa/reset`))).toEqual([403, 'FORBIDDEN_ROLE'])
      }
      expect((await me(client.cookie)).json().totpEnabled).toBe(true)
    })
  })

  test('CLI enrollment enables or replaces it and ends sessions', async () => {
    const { client, recoveryCodes } = await enrol()
    const enrolment = await enrolTwoFactor(panel.deps, client.user.email.toUpperCase())
    expect((await me(client.cookie)).statusCode).toBe(401)
    expectRefused(await answer(await challengeOf(client), recoveryCodes[0]))
    const secret = new URL(enrolment.otpauthUrl).searchParams.get('secret')!
    expect((await answer(await challengeOf(client), codeOf(secret))).statusCode).toBe(200)
    expect((await answer(await challengeOf(client), enrolment.recoveryCodes[0])).statusCode).toBe(200)
    await expect(enrolTwoFactor(panel.deps, 'nobody@example.com')).rejects.toThrow('No account')
  })

  test('no secret is returned outside the setup, audited or listed', async () => {
    const { client, secret, recoveryCodes } = await enrol()
    const signedIn = await answer(await challengeOf(client), recoveryCodes[0])
    await answer(await challengeOf(client), codeOf(secret))
    const cookie = cookieOf(signedIn)
    const get = (url: string, as = cookie) => panel.app.inject({ url, headers: { cookie: as } })
    const texts = [
      signedIn.body,
      (await get('/api/auth/me')).body,
      (await get('/api/auth/sessions')).body,
      (await get('/api/audit/me')).body,
      (await get('/api/audit?limit=200', admin.cookie)).body,
      (await login(client)).body
    ]
    for (const text of [...texts, JSON.stringify(await panel.audited())]) {
      for (const each of [secret, codeOf(secret), password, ...recoveryCodes]) expect(text).not.toContain(each)
      expect(text).not.toMatch(/argon2|totpSecret|passwordHash|codeHash/)
    }
    expect((await get('/api/auth/me')).body).not.toMatch(/secret|recovery|lastStep/i)
  })
})

describe('rate limits', () => {
  test('challenge, verify-setup and disable: five per client, and per account', async () => {
    let time = 1_800_000_000_000
    const panel = await createTestPanel(
      { AUTH_RATE_LIMIT_MAX: '5' },
      { now: () => new Date(time), sessions: createMemorySessionStore(() => time) }
    )
    try {
      const client = await panel.signUp('holder')
      const send = (url: string, payload: object, remoteAddress: string, headers: Record<string, string> = {}) =>
        panel.app.inject({ method: 'POST', url, payload, remoteAddress, headers })
      for (const [url, payload] of [
        ['/api/auth/2fa/verify-setup', { code: '123456' }],
        ['/api/auth/2fa/disable', { password, codeOrRecovery: '123456' }],
        ['/api/auth/2fa/recovery-codes', { password, codeOrRecovery: '123456' }],
        ['/api/auth/2fa/challenge', { challengeToken: 'x', code: '123456' }]
      ] as const) {
        const seen = []
        for (let i = 0; i < 6; i++) seen.push(await send(url, payload, '192.0.2.1', { cookie: client.cookie }))
        expect(seen.slice(0, 5).map((each) => each.statusCode)).not.toContain(429)
        expect([seen[5]!.statusCode, seen[5]!.json().code]).toEqual([429, 'RATE_LIMITED'])
      }
      const { otpauthUrl } = await enrolTwoFactor(panel.deps, client.user.email)
      const secret = Secret.fromBase32(new URL(otpauthUrl).searchParams.get('secret')!)
      const attempt = async (code: string, address: string) => {
        const credentials = { email: client.user.email, password }
        const { challengeToken } = (await send('/api/auth/login', credentials, address)).json()
        return send('/api/auth/2fa/challenge', { challengeToken, code }, address)
      }
      const right = TOTP.generate({ secret, timestamp: time })
      const wrong = right === '000000' ? '000001' : '000000'
      const guesses = []
      for (let i = 0; i < 11; i++) guesses.push(await attempt(wrong, `198.51.100.${i}`))
      expect(guesses.slice(0, 10).map((each) => each.statusCode)).toEqual(Array(10).fill(401))
      expect(guesses[10]!.statusCode).toBe(429)
      expect(Number(guesses[10]!.headers['retry-after'])).toBeGreaterThan(0)
      expect((await attempt(right, '203.0.113.1')).statusCode).toBe(429)
      time += 3600_000
      expect((await attempt(TOTP.generate({ secret, timestamp: time }), '203.0.113.2')).statusCode).toBe(200)
    } finally {
      await panel.close()
    }
  })
})

describe('REQUIRE_ADMIN_2FA', () => {
  test('an administrator without two-factor is refused after the password; the first enrolls at registration', async () => {
    let time = 1_800_000_000_000
    const panel = await createTestPanel(
      { REQUIRE_ADMIN_2FA: 'true' },
      { now: () => new Date(time), sessions: createMemorySessionStore(() => time) }
    )
    try {
      const admin = await panel.signUp('admin')
      const post = (url: string, payload: object) => panel.app.inject({ method: 'POST', url, payload })
      const login = (withPassword = password) =>
        post('/api/auth/login', { email: 'admin@example.com', password: withPassword })
      expect((await panel.app.inject({ url: '/api/auth/config' })).json().requireAdmin2FA).toBe(true)
      const refused = await login()
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'ADMIN_2FA_REQUIRED'])
      expect(refused.cookies).toEqual([])
      expect((await login('wrong password')).statusCode).toBe(401)

      const secret = (await admin.request('POST', '/api/auth/2fa/setup')).json().manualKey as string
      const code = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: time })
      expect((await login()).statusCode).toBe(403)
      expect((await admin.request('POST', '/api/auth/2fa/verify-setup', { code: code() })).statusCode).toBe(200)
      time += stepMs
      const challenged = await login()
      expect(challenged.statusCode).toBe(202)
      const { challengeToken } = challenged.json()
      expect((await post('/api/auth/2fa/challenge', { challengeToken, code: code() })).statusCode).toBe(200)

      const user = await panel.signUp('user')
      const other = await post('/api/auth/login', { email: user.user.email, password })
      expect(other.statusCode).toBe(200)
    } finally {
      await panel.close()
    }
  })
})
