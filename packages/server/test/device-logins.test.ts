import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { apiTokens } from '../src/db/schema/api-tokens.ts'
import { deviceLogins } from '../src/db/schema/device-logins.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

const start = new Date('2026-11-23T12:00:00Z')
const minute = 60_000

let now = start
let panel: TestPanel
let ann: Client
beforeAll(async () => {
  panel = await createTestPanel({ AUTH_RATE_LIMIT_MAX: '10000' }, { now: () => now })
  ann = await panel.signUp('ann')
})
afterAll(() => panel.close())
beforeEach(async () => {
  now = start
  await panel.deps.db.delete(deviceLogins)
})

interface Started {
  deviceCode: string
  userCode: string
}

const post = (url: string, payload: object) => panel.app.inject({ method: 'POST', url, payload })
const begin = async (scope = 'deploy') => {
  const answer = await post('/api/auth/device', { name: 'laptop', scope })
  expect(answer.statusCode).toBe(201)
  return answer.json<Started>()
}
const take = ({ deviceCode }: Started) => post('/api/auth/device/token', { deviceCode })
const reply = (by: Client, { userCode }: Started, approve: boolean) =>
  by.request('POST', '/api/auth/device/answer', { userCode, approve })

test('a confirmed code gives a token with the shown scope, once', async () => {
  const started = await begin()
  expect((await take(started)).json()).toMatchObject({ status: 'PENDING', token: null })
  const found = await ann.request('POST', '/api/auth/device/find', { userCode: started.userCode.toLowerCase() })
  expect(found.json()).toMatchObject({ name: 'laptop', scope: 'deploy' })
  expect(found.body).not.toContain(started.deviceCode)
  expect((await reply(ann, started, true)).statusCode).toBe(200)
  const { status, token } = (await take(started)).json<{ status: string; token: { token: string; scope: string } }>()
  expect({ status, scope: token.scope }).toEqual({ status: 'APPROVED', scope: 'deploy' })
  const headers = { authorization: `Bearer ${token.token}` }
  const me = await panel.app.inject({ url: '/api/auth/me', headers })
  expect(me.json()).toMatchObject({ email: ann.user.email })
  expect((await take(started)).json()).toMatchObject({ code: 'LINK_INVALID' })
  expect(await panel.audited({ action: 'device.approved', actorId: ann.user.id })).toHaveLength(1)
})

test('of several requests one gets the token', async () => {
  const started = await begin()
  await reply(ann, started, true)
  const before = await panel.deps.db.$count(apiTokens, eq(apiTokens.userId, ann.user.id))
  const statuses = (await Promise.all([take(started), take(started), take(started)])).map((each) => each.statusCode)
  expect(statuses.toSorted()).toEqual([200, 400, 400])
  expect(await panel.deps.db.$count(apiTokens, eq(apiTokens.userId, ann.user.id))).toBe(before + 1)
})

test('a denied code gives none, and cannot be answered again', async () => {
  const started = await begin()
  await reply(ann, started, false)
  expect((await reply(ann, started, true)).json()).toMatchObject({ code: 'LINK_INVALID' })
  expect((await take(started)).json()).toMatchObject({ code: 'FORBIDDEN' })
})

test('a code expires', async () => {
  const started = await begin()
  now = new Date(start.getTime() + 10 * minute)
  expect((await reply(ann, started, true)).json()).toMatchObject({ code: 'LINK_INVALID' })
  expect((await take(started)).json()).toMatchObject({ code: 'LINK_INVALID' })
})

test('a confirmation needs a recent proof and a session', async () => {
  const started = await begin()
  now = new Date(start.getTime() + 2 * 60 * minute)
  const later = await begin()
  expect((await reply(ann, later, true)).json()).toMatchObject({ code: 'FRESH_AUTH_REQUIRED' })
  expect((await post('/api/auth/device/answer', { userCode: started.userCode, approve: true })).statusCode).toBe(401)
})

test('a device that asks too often is refused', async () => {
  const started = await begin()
  expect((await take(started)).statusCode).toBe(200)
  expect((await take(started)).statusCode).toBe(429)
  now = new Date(start.getTime() + 5_000)
  expect((await take(started)).statusCode).toBe(200)
})

test('a password change takes back what was confirmed', async () => {
  const bob = await panel.signUp('bob')
  const started = await begin()
  await reply(bob, started, true)
  const body = {
    currentPassword: 'correct horse battery',
    newPassword: 'another horse battery',
    confirmNewPassword: 'another horse battery'
  }
  expect((await bob.request('POST', '/api/auth/change-password', body)).statusCode).toBe(200)
  expect((await take(started)).json()).toMatchObject({ code: 'LINK_INVALID' })
})
