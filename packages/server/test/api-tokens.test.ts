import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { apiTokens } from '../src/db/schema/api-tokens.ts'
import { users } from '../src/db/schema/users.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

const clock: { at: Date | undefined } = { at: undefined }
let panel: TestPanel
let admin: Client
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel({}, { now: () => clock.at ?? new Date() })
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())

const outcome = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code]
const ask = (client: Client, values: object = {}) =>
  client.request('POST', '/api/auth/tokens', { name: 'ci', scope: 'full', password, ...values })
const newToken = async (client: Client, scope = 'full', values: object = {}) => {
  const answer = await ask(client, { scope, ...values })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json<{ id: string; token: string }>()
}
const call = (
  token: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD',
  url: string,
  payload?: object,
  headers: Record<string, string> = {}
) =>
  panel.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload === undefined ? {} : { payload })
  })
const me = (token: string, headers?: Record<string, string>) => call(token, 'GET', '/api/auth/me', undefined, headers)

describe('creation', () => {
  test('responds 201 with the token once; only a hash is stored', async () => {
    const answer = await ask(ann, { scope: 'read', expiresInDays: 7 })
    expect(answer.statusCode).toBe(201)
    const { token, ...view } = answer.json()
    expect(token).toMatch(/^panel_[A-Za-z0-9_-]{43}$/)
    expect(view).toMatchObject({ name: 'ci', scope: 'read', lastUsedAt: null })
    expect(Date.parse(view.expiresAt) - Date.parse(view.createdAt)).toBe(7 * 24 * 3600 * 1000)
    const list = await ann.request('GET', '/api/auth/tokens')
    expect(list.json().tokens).toContainEqual(view)
    expect(list.body).not.toContain(token)
    const { total } = list.json().pagination
    const beyond = await ann.request('GET', `/api/auth/tokens?limit=1&page=${total + 1}`)
    expect(beyond.json()).toEqual({
      tokens: [],
      pagination: { page: total + 1, limit: 1, total, totalPages: total }
    })
    const [row] = await panel.deps.db.select().from(apiTokens).where(eq(apiTokens.id, view.id))
    expect(row!.tokenHash).toBe(createHash('sha256').update(token).digest('hex'))
    const entries = await panel.audited({ targetId: view.id })
    expect(entries).toMatchObject([{ action: 'token.created', actorId: ann.user.id, metadata: { scope: 'read' } }])
    expect(JSON.stringify(entries)).not.toContain(token.slice(6))
  })

  test.each([
    ['a wrong password', { password: 'wrong one' }, 401, 'INVALID_CREDENTIALS'],
    ['no password', { password: undefined }, 400, 'VALIDATION_ERROR'],
    ['another scope', { scope: 'admin' }, 400, 'VALIDATION_ERROR'],
    ['no scope', { scope: undefined }, 400, 'VALIDATION_ERROR'],
    ['no end', { expiresInDays: null }, 400, 'VALIDATION_ERROR'],
    ['an end too far away', { expiresInDays: 366 }, 400, 'VALIDATION_ERROR'],
    ['an end in the past', { expiresInDays: 0 }, 400, 'VALIDATION_ERROR'],
    ['a name of two lines', { name: 'a\nb' }, 400, 'VALIDATION_ERROR'],
    ['an empty name', { name: ' ' }, 400, 'VALIDATION_ERROR']
  ])('refuses %s', async (_name, values, status, code) =>
    expect(outcome(await ask(ann, values))).toEqual([status, code])
  )

  test('belongs to the caller, whatever the body says', async () => {
    const { token } = await newToken(ann, 'read', {
      userId: admin.user.id,
      id: 'mine',
      tokenHash: 'x',
      lastUsedAt: null
    })
    expect((await me(token)).json().id).toBe(ann.user.id)
  })

  test('with two-factor requires a code and uses it up', async () => {
    const bob = await panel.signUp('bob')
    const secret = new Secret({ size: 20 })
    await panel.deps.db
      .update(users)
      .set({ totpEnabled: true, totpSecret: panel.deps.secretBox.seal(secret.base32) })
      .where(eq(users.id, bob.user.id))
    const code = TOTP.generate({ secret })
    expect(outcome(await ask(bob))).toEqual([403, 'FRESH_AUTH_REQUIRED'])
    expect(outcome(await ask(bob, { code: '000000x' }))).toEqual([401, '2FA_INVALID_CODE'])
    expect(outcome(await ask(bob, { code, password: 'wrong one' }))).toEqual([401, 'INVALID_CREDENTIALS'])
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(bob, { code })))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 401, 401, 401])
  })

  test('at most fifty, also concurrently; expired ones do not count', async () => {
    const carol = await panel.signUp('carol')
    const rows = Array.from({ length: 48 }, (_, i) => ({
      id: `c${i}`,
      userId: carol.user.id,
      name: 'old',
      tokenHash: `c${i}`,
      scope: 'read' as const,
      expiresAt: new Date(Date.now() + (i < 46 ? 1e9 : -1))
    }))
    await panel.deps.db.insert(apiTokens).values(rows)
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(carol)))
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(4)
    expect(outcome(answers.find((answer) => answer.statusCode !== 201)!)).toEqual([409, 'CONFLICT'])
  })
})

describe('use', () => {
  test('read: every GET except secrets', async () => {
    const project = await ann.createProject()
    await ann.request('POST', `/api/projects/${project.id}/env`, { key: 'KEY', value: 'secret value' })
    const { token } = await newToken(ann, 'read')
    for (const url of [
      '/api/auth/me',
      '/api/projects',
      `/api/projects/${project.id}`,
      `/api/projects/${project.id}/env`,
      '/api/users',
      '/api/users/me/usage',
      '/api/audit/me'
    ])
      expect([url, (await call(token, 'GET', url)).statusCode]).toEqual([url, 200])
    expect((await call(token, 'HEAD', '/api/projects')).statusCode).toBe(200)
    expect(outcome(await call(token, 'GET', `/api/projects/${project.id}/env/KEY/reveal`))).toEqual([403, 'FORBIDDEN'])
    expect(outcome(await call(token, 'POST', '/api/projects', { name: 'made', type: 'NODEJS' }))).toEqual([
      403,
      'FORBIDDEN'
    ])
    expect(outcome(await call(token, 'POST', `/api/projects/${project.id}/build`))).toEqual([403, 'FORBIDDEN'])
    expect(outcome(await call(token, 'DELETE', `/api/projects/${project.id}`))).toEqual([403, 'FORBIDDEN'])
  })

  test('deploy: also deployments, nothing else', async () => {
    const { id } = await ann.createProject({ gitUrl: 'https://github.com/owner/repository' })
    const { token } = await newToken(ann, 'deploy')
    const build = await call(token, 'POST', `/api/projects/${id}/build`)
    expect(build.statusCode).toBe(202)
    expect((await call(token, 'POST', `/api/projects/${id}/deployments/${build.json().id}/cancel`)).statusCode).toBe(
      200
    )
    expect(outcome(await call(token, 'POST', `/api/projects/${id}/deploy`))).toEqual([409, 'NOT_BUILT'])
    expect(outcome(await call(token, 'POST', `/api/projects/${id}/container/restart`))).toEqual([
      409,
      'CONTAINER_MISSING'
    ])
    expect(outcome(await call(token, 'PUT', `/api/projects/${id}`, { name: 'renamed' }))).toEqual([403, 'FORBIDDEN'])
    expect(outcome(await call(token, 'POST', `/api/projects/${id}/env`, { key: 'A', value: 'b' }))).toEqual([
      403,
      'FORBIDDEN'
    ])
  })

  test('full: the account’s current permissions, except creating access', async () => {
    const boss = await panel.createUser(admin, { role: 'RESELLER' })
    const { token } = await newToken(boss)
    const made = await call(token, 'POST', '/api/users', { name: 'below', email: 'below@example.com', password })
    expect(made.json()).toMatchObject({ parentId: boss.user.id })
    for (const [method, url] of [
      ['GET', '/api/auth/tokens'],
      ['POST', '/api/auth/tokens'],
      ['DELETE', '/api/auth/tokens/x'],
      ['GET', '/api/auth/sessions'],
      ['DELETE', '/api/auth/sessions'],
      ['POST', '/api/auth/logout'],
      ['POST', '/api/auth/change-password'],
      ['POST', '/api/auth/2fa/setup'],
      ['POST', '/api/auth/2fa/verify-setup'],
      ['POST', '/api/auth/2fa/disable'],
      ['POST', '/api/auth/2fa/recovery-codes'],
      ['POST', `/api/users/${made.json().id}/2fa/reset`],
      ['DELETE', `/api/users/${made.json().id}/sessions`]
    ] as const) {
      const answer = await call(token, method, url, method === 'POST' ? {} : undefined)
      expect([url, ...outcome(answer)]).toEqual([url, 403, 'FORBIDDEN'])
    }
    await admin.request('DELETE', `/api/users/${made.json().id}`)
    await admin.request('PATCH', `/api/users/${boss.user.id}/role`, { role: 'USER' })
    expect(outcome(await call(token, 'POST', '/api/users', {}))).toEqual([403, 'FORBIDDEN_ROLE'])
  })

  test('another user’s project is inaccessible', async () => {
    const { id } = await ann.createProject()
    const { token } = await newToken(admin)
    expect(outcome(await call(token, 'GET', `/api/projects/${id}`))).toEqual([403, 'FORBIDDEN'])
  })

  test('requires no origin, because browsers never add this header', async () => {
    const { token } = await newToken(ann)
    const answer = await call(
      token,
      'POST',
      '/api/projects',
      { name: 'from-afar', type: 'NODEJS' },
      { origin: 'https://ci.example' }
    )
    expect(answer.statusCode).toBe(201)
  })

  test('takes precedence over a cookie', async () => {
    const { token } = await newToken(ann, 'read')
    expect((await me(token, { cookie: admin.cookie })).json().id).toBe(ann.user.id)
    const project = { name: 'as-admin', type: 'NODEJS' }
    expect((await call(token, 'POST', '/api/projects', project, { cookie: admin.cookie })).statusCode).toBe(403)
    // A bad token must not fall back to the cookie, which would pass the origin check.
    const headers = { cookie: admin.cookie, origin: 'https://evil.example' }
    expect((await call('panel_bad', 'POST', '/api/projects', project, headers)).statusCode).toBe(401)
    expect((await me('', { cookie: admin.cookie })).statusCode).toBe(401)
    // Other authorization schemes, such as that of a proxy in front, are ignored.
    const basic = { cookie: admin.cookie, authorization: 'Basic YTpi' }
    expect((await panel.app.inject({ url: '/api/auth/me', headers: basic })).json().id).toBe(admin.user.id)
  })

  test('the scheme is case-insensitive, the token is not', async () => {
    const { token } = await newToken(ann, 'read')
    const withHeader = (authorization: string) => panel.app.inject({ url: '/api/auth/me', headers: { authorization } })
    expect((await withHeader(`bearer ${token}`)).statusCode).toBe(200)
    expect((await withHeader(`BEARER  ${token} `)).statusCode).toBe(200)
    for (const bad of [
      `Bearer ${token}x`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${token.slice(6)}`,
      `Bearer x ${token}`,
      'Bearer null',
      `Bearer ${token}, Bearer ${token}`
    ])
      expect((await withHeader(bad)).statusCode).toBe(401)
    expect((await withHeader(token)).statusCode).toBe(401)
    for (const url of [`/api/auth/me?token=${token}`, `/api/auth/me?access_token=${token}`])
      expect((await panel.app.inject({ url })).statusCode).toBe(401)
  })

  test('last use is recorded at most once a minute', async () => {
    const { id, token } = await newToken(ann, 'read')
    const used = async () =>
      (await panel.deps.db.select().from(apiTokens).where(eq(apiTokens.id, id)))[0]!.lastUsedAt?.getTime()
    const start = Date.now()
    try {
      for (const [seconds, noted] of [
        [0, 0],
        [59, 0],
        [61, 61],
        [120, 61],
        [122, 122]
      ] as const) {
        clock.at = new Date(start + seconds * 1000)
        await me(token)
        expect(await used()).toBe(start + noted * 1000)
      }
    } finally {
      clock.at = undefined
    }
  })
})

describe('end', () => {
  test('revoked: from the next request, only by their owner', async () => {
    const { id, token } = await newToken(ann)
    expect(outcome(await admin.request('DELETE', `/api/auth/tokens/${id}`))).toEqual([404, 'NOT_FOUND'])
    expect((await me(token)).statusCode).toBe(200)
    expect((await ann.request('DELETE', `/api/auth/tokens/${id}`)).statusCode).toBe(200)
    expect(outcome(await me(token))).toEqual([401, 'UNAUTHENTICATED'])
    expect((await ann.request('DELETE', `/api/auth/tokens/${id}`)).statusCode).toBe(404)
    expect(await panel.audited({ targetId: id, action: 'token.revoked' })).toHaveLength(1)
  })

  test('expired: 401', async () => {
    const { token } = await newToken(ann, 'read', { expiresInDays: 1 })
    const start = Date.now()
    try {
      clock.at = new Date(start + 24 * 3600 * 1000 - 5_000)
      expect((await me(token)).statusCode).toBe(200)
      clock.at = new Date(start + 24 * 3600 * 1000 + 5_000)
      expect(outcome(await me(token))).toEqual([401, 'UNAUTHENTICATED'])
    } finally {
      clock.at = undefined
    }
  })

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['a suspension', (client) => admin.request('POST', `/api/users/${client.user.id}/suspend`)],
    [
      'a suspension and its end',
      async (client) => {
        await admin.request('POST', `/api/users/${client.user.id}/suspend`)
        await admin.request('POST', `/api/users/${client.user.id}/resume`)
      }
    ],
    ['a deletion', (client) => admin.request('DELETE', `/api/users/${client.user.id}`)],
    ['a reset of two-factor', (client) => admin.request('POST', `/api/users/${client.user.id}/2fa/reset`)]
  ])('%s revokes them', async (_name, operation) => {
    const client = await panel.createUser(admin)
    const { token } = await newToken(client)
    await operation(client)
    expect((await me(token)).statusCode).toBe(401)
  })

  test('a token created during suspension does not survive', async () => {
    const client = await panel.createUser(admin)
    const [, ...answers] = await Promise.all([
      admin.request('POST', `/api/users/${client.user.id}/suspend`),
      ...Array.from({ length: 4 }, () => ask(client))
    ])
    expect(answers.every((answer) => answer.statusCode < 500)).toBe(true)
    expect(await panel.deps.db.select().from(apiTokens).where(eq(apiTokens.userId, client.user.id))).toEqual([])
  })
})

describe('rate limit', () => {
  test('counts guesses per client, not valid tokens', async () => {
    const own = await createTestPanel({ AUTH_RATE_LIMIT_MAX: '5' })
    try {
      const client = await own.signUp()
      const made = await client.request('POST', '/api/auth/tokens', { name: 'ci', scope: 'read', password })
      const attempt = (token: string, remoteAddress = '192.0.2.7', headers: Record<string, string> = {}) =>
        own.app.inject({
          url: '/api/auth/me',
          headers: { authorization: `Bearer ${token}`, ...headers },
          remoteAddress
        })
      const guess = `panel_${'A'.repeat(43)}`
      const statuses = []
      for (let i = 0; i < 6; i++)
        statuses.push((await attempt(guess, '192.0.2.7', { 'x-forwarded-for': `198.51.100.${i}` })).statusCode)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
      expect(Number((await attempt(guess)).headers['retry-after'])).toBeGreaterThan(0)
      expect((await attempt(made.json().token)).statusCode).toBe(200)
      expect((await attempt(guess, '192.0.2.8')).statusCode).toBe(401)
      const tries = []
      for (let i = 0; i < 5; i++)
        tries.push(
          (await client.request('POST', '/api/auth/tokens', { name: 'ci', scope: 'read', password: 'wrong' }))
            .statusCode
        )
      expect(tries).toEqual([401, 401, 401, 401, 429])
    } finally {
      await own.close()
    }
  })
})
