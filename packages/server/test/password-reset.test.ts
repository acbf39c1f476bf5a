import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { apiTokens } from '../src/db/schema/api-tokens.ts'
import { passwordResets } from '../src/db/schema/password-resets.ts'
import { recoveryCodes } from '../src/db/schema/recovery-codes.ts'
import { users } from '../src/db/schema/users.ts'
import { sendPasswordReset, setPasswordByAddress } from '../src/features/password-reset/password-reset.service.ts'
import { createMemoryMailer } from './fakes/memory-mailer.ts'
import { createSmtpMailer } from '../src/infra/mailer/smtp-mailer.ts'
import { startWorker } from '../src/worker.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'
import { type SmtpSink, startSmtpSink } from './support/smtp-sink.ts'

const mailer = createMemoryMailer()
/** Frozen if set. */
const clock: { at: Date | undefined } = { at: undefined }
let panel: TestPanel
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel({ PANEL_DOMAIN: 'panel.example' }, { mailer, now: () => clock.at ?? new Date() })
  await panel.signUp('admin')
})
afterAll(() => panel.close())
beforeEach(async () => {
  mailer.sent.length = 0
  ann = await panel.signUp()
})

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  panel.app.inject({ method: 'POST', url, payload, headers })
const forgot = (email: string, headers?: Record<string, string>) =>
  post('/api/auth/forgot-password', { email }, headers)
const newPassword = 'another good one'
const reset = (token: string, values: object = {}) =>
  post('/api/auth/reset-password', { token, newPassword, confirmNewPassword: newPassword, ...values })
const login = (email: string, secret: string) => post('/api/auth/login', { email, password: secret })
const tokenOf = (text: string) => /#token=([A-Za-z0-9_-]{43})$/m.exec(text)![1]!
const outcome = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code]
const linkFor = async (client: Client) => {
  await sendPasswordReset(panel.deps, { email: client.user.email.toUpperCase(), ip: '192.0.2.1', userAgent: 'test' })
  return tokenOf(mailer.sent.at(-1)!.text)
}

describe('forgot-password', () => {
  test('answers and does the same whether or not the address exists', async () => {
    const jobs = async () => {
      const { rows } = await panel.deps.db.$client.query(
        "select data from pgboss.job where name = 'accounts.password-reset' order by created_on"
      )
      return rows.map((row) => row.data.email)
    }
    const known = await forgot(ann.user.email)
    const unknown = await forgot('nobody@example.com')
    expect([known.statusCode, known.json()]).toEqual([200, unknown.json()])
    expect(await jobs()).toEqual([ann.user.email, 'nobody@example.com'])
    // Lookups happen in the worker, so that response times do not reveal accounts.
    expect(await panel.deps.db.select().from(passwordResets)).toEqual([])
    await sendPasswordReset(panel.deps, { email: 'nobody@example.com' })
    expect(mailer.sent).toEqual([])
  })

  test.each([
    {},
    { email: 'no address' },
    { email: ['a@example.com'] },
    { email: 'a@example.com\nBcc: b@example.com' }
  ])('refuses %j', async (body) => expect((await post('/api/auth/forgot-password', body)).statusCode).toBe(400))

  test('the mail names the panel’s own address, whatever the request says', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    expect((await forgot(ann.user.email, headers)).statusCode).toBe(200)
    await linkFor(ann)
    const [message] = mailer.sent
    expect(message!.to).toBe(ann.user.email)
    expect(message!.text).toMatch(/^https:\/\/panel\.example\/reset-password#token=/m)
    expect(message!.text).not.toContain('evil')
  })

  test('the store holds no link that could be used, the audit log no token', async () => {
    const token = await linkFor(ann)
    const [row] = await panel.deps.db.select().from(passwordResets).where(eq(passwordResets.userId, ann.user.id))
    expect(row!.tokenHash).toBe(createHash('sha256').update(token).digest('hex'))
    const entries = await panel.audited({ targetId: ann.user.id })
    expect(entries.at(-1)).toMatchObject({ action: 'user.password_reset_requested', actorId: null, ip: '192.0.2.1' })
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  test('an address is written to once a minute, however many ask', async () => {
    await linkFor(ann)
    await Promise.all(Array.from({ length: 5 }, () => sendPasswordReset(panel.deps, { email: ann.user.email })))
    expect(mailer.sent).toHaveLength(1)
  })

  test('a suspended account gets none', async () => {
    await panel.deps.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, ann.user.id))
    await sendPasswordReset(panel.deps, { email: ann.user.email })
    expect(mailer.sent).toEqual([])
  })

  test('without a mail server all get 503 alike; the limit counts first', async () => {
    const own = await createTestPanel({ AUTH_RATE_LIMIT_MAX: '3' })
    try {
      const client = await own.signUp()
      const ask = (email: string) =>
        own.app.inject({ method: 'POST', url: '/api/auth/forgot-password', payload: { email } })
      const answers = [await ask(client.user.email), await ask('nobody@example.com')]
      expect(answers.map(outcome)).toEqual(Array(2).fill([503, 'MAIL_UNAVAILABLE']))
      expect(answers[0]!.json()).toEqual(answers[1]!.json())
      await ask('nobody@example.com')
      expect(outcome(await ask('nobody@example.com'))).toEqual([429, 'RATE_LIMITED'])
      const attempt = () =>
        own.app.inject({
          method: 'POST',
          url: '/api/auth/reset-password',
          payload: { token: 'x', newPassword, confirmNewPassword: newPassword }
        })
      const statuses = []
      for (let i = 0; i < 4; i++) statuses.push((await attempt()).statusCode)
      expect(statuses).toEqual([400, 400, 400, 429])
    } finally {
      await own.close()
    }
  })
})

describe('reset-password', () => {
  test('sets the password, ends sessions and tokens, leaves two-factor on, and is audited', async () => {
    const { id, email } = ann.user
    const sealed = panel.deps.secretBox.seal('JBSWY3DPEHPK3PXP')
    await panel.deps.db.update(users).set({ totpEnabled: true, totpSecret: sealed }).where(eq(users.id, id))
    await panel.deps.db.insert(recoveryCodes).values({ id: `r${id}`, userId: id, codeHash: 'x' })
    await panel.deps.db.insert(apiTokens).values({
      id: `t${id}`,
      userId: id,
      name: 'ci',
      tokenHash: id,
      scope: 'full',
      expiresAt: new Date(Date.now() + 1e9)
    })
    const answer = await reset(await linkFor(ann))
    expect([answer.statusCode, answer.cookies]).toEqual([200, []])
    expect((await ann.request('GET', '/api/auth/me')).statusCode).toBe(401)
    expect((await login(email, password)).statusCode).toBe(401)
    expect((await login(email, newPassword)).json()).toMatchObject({ requires2FA: true })
    expect(await panel.deps.db.select().from(apiTokens).where(eq(apiTokens.userId, id))).toEqual([])
    expect(await panel.deps.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, id))).toHaveLength(1)
    const [entry] = await panel.audited({ targetId: id, action: 'user.password_reset' })
    expect(entry).toMatchObject({ actorId: null, metadata: { by: 'link' } })
  })

  test('a link works once, also of parallel uses', async () => {
    const token = await linkFor(ann)
    const answers = await Promise.all(Array.from({ length: 6 }, () => reset(token)))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 400, 400, 400, 400, 400])
    expect(outcome(await reset(token))).toEqual([400, 'LINK_INVALID'])
  })

  test('only the newest counts, for thirty minutes', async () => {
    const start = Date.now()
    const after = (seconds: number) => (clock.at = new Date(start + seconds * 1000))
    after(0)
    try {
      const first = await linkFor(ann)
      after(60)
      const second = await linkFor(ann)
      expect(outcome(await reset(first))).toEqual([400, 'LINK_INVALID'])
      after(60 + 30 * 60)
      expect(outcome(await reset(second))).toEqual([400, 'LINK_INVALID'])
      after(60 + 30 * 60 - 1)
      expect((await reset(second)).statusCode).toBe(200)
    } finally {
      clock.at = undefined
    }
  })

  test('a refused password leaves the link good', async () => {
    const token = await linkFor(ann)
    const bad = [
      { newPassword: 'short', confirmNewPassword: 'short' },
      { newPassword: 'another good two' },
      { newPassword: ann.user.email.toUpperCase(), confirmNewPassword: ann.user.email.toUpperCase() }
    ]
    for (const values of bad) expect(outcome(await reset(token, values))).toEqual([400, 'VALIDATION_ERROR'])
    expect((await reset(token, { userId: 'x', role: 'ADMIN', permissions: ['canManageDns'] })).statusCode).toBe(200)
    const [row] = await panel.deps.db.select().from(users).where(eq(users.id, ann.user.id))
    expect(row).toMatchObject({ role: 'USER', permissions: [] })
  })

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(129), "' or 1=1 --", '\u0000'])(
    'refuses the token %j',
    async (token) => expect((await reset(token)).statusCode).toBe(400)
  )

  test('a suspension and a new address void the link', async () => {
    const token = await linkFor(ann)
    await panel.deps.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, ann.user.id))
    expect(outcome(await reset(token))).toEqual([400, 'LINK_INVALID'])
    const bob = await panel.signUp()
    const other = await linkFor(bob)
    const admin = await panel.signIn('admin@example.com')
    await admin.request('PATCH', `/api/users/${bob.user.id}`, { email: `moved-${bob.user.email}` })
    expect(outcome(await reset(other))).toEqual([400, 'LINK_INVALID'])
  })
})

describe('on the machine', () => {
  test('sets the password and ends every way in', async () => {
    await setPasswordByAddress(panel.deps, ann.user.email.toUpperCase(), newPassword)
    expect((await ann.request('GET', '/api/auth/me')).statusCode).toBe(401)
    expect((await login(ann.user.email, password)).statusCode).toBe(401)
    expect((await login(ann.user.email, newPassword)).statusCode).toBe(200)
    expect(await panel.audited({ targetId: ann.user.id, action: 'user.password_reset' })).toMatchObject([
      { actorId: null, ip: null, metadata: { by: 'command' } }
    ])
  })

  test.each([
    ['nobody@example.com', newPassword, 'NOT_FOUND'],
    [undefined, 'short', 'VALIDATION_ERROR'],
    [undefined, undefined, 'VALIDATION_ERROR']
  ])('refuses %s with %s', async (email = ann.user.email, secret = ann.user.email, code) =>
    expect(setPasswordByAddress(panel.deps, email, secret)).rejects.toMatchObject({ code })
  )
})

describe('through a real mail server', () => {
  let sink: SmtpSink
  let own: TestPanel
  beforeAll(async () => {
    sink = await startSmtpSink()
    own = await createTestPanel(
      { API_BASE_URL: 'https://api.panel.example' },
      { mailer: createSmtpMailer({ url: () => sink.url, from: () => 'Panel <panel@panel.example>' }) }
    )
  })
  afterAll(async () => {
    await own.close()
    await sink.close()
  })

  test('from the request to the new password; retries while the mail server is unavailable', async () => {
    const client = await own.signUp('zoe')
    const worker = await startWorker(own.deps, own.databaseUrl)
    try {
      sink.refuse = true
      await own.app.inject({ method: 'POST', url: '/api/auth/forgot-password', payload: { email: client.user.email } })
      await expect.poll(() => sink.refused, { timeout: 30_000 }).toBe(1)
      sink.refuse = false
      await expect.poll(() => sink.received.length, { timeout: 40_000 }).toBe(1)
    } finally {
      await worker.stop()
    }
    const [mail] = sink.received
    expect(mail).toMatchObject({ from: 'panel@panel.example', to: ['zoe@example.com'] })
    expect(mail!.data).toMatch(/^Subject: Reset your password$/m)
    const body = mail!.data.replaceAll('=\n', '').replaceAll('=3D', '=')
    expect(body).toContain('https://api.panel.example/reset-password#token=')
    const answer = await own.app.inject({
      method: 'POST',
      url: '/api/auth/reset-password',
      payload: { token: tokenOf(body), newPassword, confirmNewPassword: newPassword }
    })
    expect(answer.statusCode).toBe(200)
  })

  test('a message keeps to one recipient and its own headers', async () => {
    const smtp = createSmtpMailer({ url: () => sink.url, from: () => 'panel@panel.example' })
    sink.received.length = 0
    await smtp.send({
      to: 'a@example.com',
      subject: 'x\r\nBcc: evil@example.com',
      text: '.\r\nRCPT TO:<evil@example.com>'
    })
    expect(sink.received).toMatchObject([{ to: ['a@example.com'] }])
    expect(sink.received[0]!.data.split('\n\n')[0]).not.toMatch(/^Bcc:/m)
  })

  test('a server that is not there makes the mailer unavailable', async () => {
    const smtp = createSmtpMailer({ url: () => 'smtp://127.0.0.1:1', from: () => 'panel@panel.example' })
    await expect(smtp.send({ to: 'a@example.com', subject: 'x', text: 'x' })).rejects.toMatchObject({
      kind: 'mail-server-unavailable'
    })
  })
})

describe('an invitation', () => {
  const invite = (by: Client, email: string) =>
    by.request('POST', '/api/users', { name: 'Buy now at evil.example', email, maxProjects: 1 })

  test('sets the first password of an account, once and within a week', async () => {
    const admin = await panel.signIn('admin@example.com')
    const email = 'invited@example.com'
    const made = await invite(admin, email)
    expect([made.statusCode, made.json()]).toMatchObject([201, { email, maxProjects: 1 }])
    expect((await login(email, '')).statusCode).toBe(400)
    const [{ data } = { data: {} }] = (
      await panel.deps.db.$client.query(
        "select data from pgboss.job where name = 'accounts.password-reset' order by created_on desc limit 1"
      )
    ).rows
    expect(data).toEqual({ email, invitation: true })
    await sendPasswordReset(panel.deps, data)
    const [mail] = mailer.sent
    expect(mail).toMatchObject({ to: email, subject: 'Your new account' })
    expect(mail!.text).not.toContain('evil')
    const day = 24 * 3600_000
    const token = tokenOf(mail!.text)
    clock.at = new Date(Date.now() + 8 * day)
    expect(outcome(await reset(token))).toEqual([400, 'LINK_INVALID'])
    clock.at = new Date(Date.now() + 6 * day)
    expect((await reset(token)).statusCode).toBe(200)
    clock.at = undefined
    expect(outcome(await reset(token))).toEqual([400, 'LINK_INVALID'])
    expect((await login(email, newPassword)).statusCode).toBe(200)
    const actions = (await panel.audited({ targetId: made.json().id })).map(({ action, metadata }) => [action, metadata.invited]) // oxfmt-ignore
    expect(actions.slice(0, 2)).toEqual([
      ['user.created', true],
      ['user.password_reset', undefined]
    ])
  })

  test('is sent for one account so often only, however many accounts it makes and deletes', async () => {
    const busy = await createTestPanel({ AUTH_RATE_LIMIT_MAX: '3' }, { mailer })
    try {
      const admin = await busy.signUp('admin')
      const codes: number[] = []
      for (let n = 0; n < 4; n++) {
        const made = await invite(admin, 'victim@example.com')
        codes.push(made.statusCode)
        if (made.statusCode === 201) await admin.request('DELETE', `/api/users/${made.json<{ id: string }>().id}`)
      }
      expect(codes).toEqual([201, 201, 201, 429])
    } finally {
      await busy.close()
    }
  })

  test('is refused where the panel sends no mail, and leaves nothing', async () => {
    const silent = await createTestPanel()
    try {
      const admin = await silent.signUp('admin')
      expect(outcome(await invite(admin, 'a@example.com'))).toEqual([503, 'MAIL_UNAVAILABLE'])
      expect((await admin.request('GET', '/api/users')).json().pagination.total).toBe(1)
      expect((await admin.request('GET', '/api/auth/config')).json()).toMatchObject({ sendsMail: false })
    } finally {
      await silent.close()
    }
  })
})
