import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { desc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  ChannelTest,
  CreatedChannel,
  NotificationChannel,
  NotificationDeliveryList,
  NotificationKind,
  NotificationList
} from '@panel/contract/notifications'
import {
  notificationChannels,
  notificationDeliveries,
  notificationPreferences,
  notifications,
  notificationSubjects
} from '../src/db/schema/notifications.ts'
import { deliver } from '../src/features/notifications/deliver.jobs.ts'
import { notify } from '../src/features/notifications/notify-access.ts'
import { planNotification, settleSubjects } from '../src/features/notifications/plan.jobs.ts'
import { cleanUpNotifications } from '../src/features/notifications/retention.jobs.ts'
import { createPublicHttp } from '../src/infra/outbound-http/public-http.ts'
import { createMemoryMailer } from './fakes/memory-mailer.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let ann: Client
let bob: Client
const mailer = createMemoryMailer()
const clock = { at: new Date() }
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
let status = 200
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    received.push({ path: request.url!, headers: request.headers, body })
    response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1/' } : {}).end('ok')
  })
})
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const outboundHttp = createPublicHttp({ allow: ['127.0.0.1'], own: [] })
  panel = await createTestPanel({}, { mailer, outboundHttp, now: () => clock.at })
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
})
afterAll(async () => {
  receiver.close()
  await panel.close()
})
beforeEach(() => {
  received.length = 0
  mailer.sent.length = 0
  status = 200
})

const pass = (ms: number) => (clock.at = new Date(clock.at.getTime() + ms))
const hourMs = 3_600_000
const list = async (by: Client, url: string) => (await by.request('GET', url)).json<unknown>()
const deliveries = async (by = ann) => (await list(by, '/api/notifications/deliveries')) as NotificationDeliveryList
const addChannel = async (values: object) =>
  (await ann.request('POST', '/api/notifications/channels', values)).json<CreatedChannel>()
const choose = (kind: NotificationKind, ...ids: string[]) =>
  ann.request('PUT', '/api/notifications/preferences', { quietHours: null, channels: { [kind]: ids } })

async function notifyOwner(kind: NotificationKind, name = 'shop', id = name) {
  // Lists are ordered by time.
  pass(1)
  const n = { userId: ann.user.id, kind, subject: { type: 'project', id, name }, text: `About ${name}` } as const
  await panel.deps.db.transaction((trx) => notify(panel.deps, trx, n))
  const notified = (await list(ann, '/api/notifications?limit=100')) as NotificationList
  const row = notified.notifications.find(({ subject, readAt }) => subject.id === id && readAt === null)!
  for (const each of notified.notifications) await planNotification(panel.deps, { notificationId: each.id })
  return row
}
async function deliverAll(isDue: (dueAt: Date) => boolean = () => true) {
  for (const { id, status, attempts, dueAt } of (await deliveries()).deliveries.toReversed())
    if (status === 'WAITING' && isDue(new Date(dueAt))) await deliver(panel.deps, { deliveryId: id, attempts })
}
const deliverDue = () => deliverAll((dueAt) => dueAt <= clock.at)

test('list, unread count, and privacy', async () => {
  const { id } = await notifyOwner('import-finished')
  expect(await list(ann, '/api/notifications?unread=true')).toMatchObject({ unread: 1, notifications: [{ id }] })
  expect((await bob.request('PATCH', `/api/notifications/${id}`, { isRead: true })).statusCode).toBe(404)
  expect(await list(bob, '/api/notifications')).toMatchObject({ unread: 0, notifications: [] })
  expect((await ann.request('PATCH', `/api/notifications/${id}`, { isRead: true })).json()).toEqual({ unread: 0 })
  expect(await list(ann, '/api/notifications?unread=true')).toMatchObject({ notifications: [] })
})

test('problems are emailed once by default with a one-line subject', async () => {
  await notifyOwner('import-failed', 'evil\r\nBcc: x@example.com')
  await deliverAll()
  await deliverAll()
  expect(mailer.sent.map(({ to, subject }) => [to, subject])).toEqual([
    [ann.user.email, 'Import failed: evil Bcc: x@example.com']
  ])
})

test('a webhook is signed, its secret encrypted and shown once, and retried with the same id', async () => {
  const made = await addChannel({ type: 'WEBHOOK', name: 'hook', url: `${url}/secret-path` })
  expect(JSON.stringify(await list(ann, '/api/notifications/channels'))).not.toMatch(/secret-path|signingSecret/)
  const rows = await panel.deps.db.select().from(notificationChannels)
  expect(JSON.stringify(rows)).not.toContain('secret-path')
  await choose('quota-nearly-used', made.id)
  status = 503
  await notifyOwner('quota-nearly-used')
  await deliverAll()
  const [failed] = (await deliveries()).deliveries
  expect(failed).toMatchObject({
    status: 'WAITING',
    attempts: 1,
    lastError: 'The destination answered 503',
    responseCode: 503
  })
  expect(new Date(failed!.dueAt).getTime() - clock.at.getTime()).toBe(60_000)
  status = 204
  pass(60_000)
  await deliverAll()
  expect((await deliveries()).deliveries[0]).toMatchObject({ status: 'SENT', attempts: 2, lastError: null })
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([failed!.id, failed!.id])
  for (const { headers, body } of received) {
    const mac = createHmac('sha256', made.signingSecret!).update(`${String(headers['x-panel-timestamp'])}.${body}`)
    expect(headers['x-panel-signature']).toBe(`sha256=${mac.digest('hex')}`)
  }
})

test('permanent refusals fail immediately, others at the end', async () => {
  const { id } = await addChannel({ type: 'SLACK', name: 'slack', url })
  await choose('mail-limit', id)
  status = 302
  await notifyOwner('mail-limit')
  await deliverAll()
  expect((await deliveries()).deliveries[0]).toMatchObject({ status: 'FAILED', attempts: 1, responseCode: 302 })
  status = 500
  pass(hourMs)
  await notifyOwner('mail-limit', 'other')
  for (let attempt = 1; attempt <= 8; attempt++) await deliverAll()
  expect((await deliveries()).deliveries[0]).toMatchObject({ status: 'FAILED', attempts: 8 })
  expect(received).toHaveLength(9)
})

test('a flood becomes one message', async () => {
  pass(hourMs)
  const { id } = await addChannel({ type: 'GOTIFY', name: 'gotify', url, token: 'app-token' })
  await choose('mail-held', id)
  for (let n = 0; n < 12; n++) await notifyOwner('mail-held', `box${n}`)
  await deliverAll()
  expect(received).toHaveLength(6)
  expect(received[0]).toMatchObject({ path: '/message', headers: { 'x-gotify-key': 'app-token' } })
  expect(received.filter(({ body }) => body.includes('7 × Mail held as spam'))).toHaveLength(1)
})

describe('urgent ones', () => {
  const kinds = ['import-failed', 'site-down', 'sign-in-from-new-place'] as const
  const by = async (quietHours: object | null) => {
    const { id } = await addChannel({ type: 'GOTIFY', name: 'urgent', url, token: 'app-token' })
    const channels = Object.fromEntries(kinds.map((kind) => [kind, [id]]))
    await ann.request('PUT', '/api/notifications/preferences', { quietHours, channels })
    return id
  }
  afterEach(() => choose('import-failed'))

  test('ignore quiet hours', async () => {
    clock.at = new Date(`${new Date(clock.at.getTime() + 24 * hourMs).toISOString().slice(0, 10)}T22:05:00Z`)
    await by({ from: '22:00', to: '07:00', timezone: 'UTC' })
    await notifyOwner('import-failed', 'first')
    await notifyOwner('site-down', 'second')
    await notifyOwner('import-failed', 'third')
    await notifyOwner('sign-in-from-new-place', 'fourth')
    await deliverDue()
    expect(received.map(({ body }) => /second|fourth|first|third/.exec(body)?.[0]).sort()).toEqual(['fourth', 'second'])
    pass(9 * hourMs)
    await deliverDue()
    expect(received).toHaveLength(3)
    expect(received[2]!.body).toContain('2 × Import failed')
    expect(received[2]!.body).toMatch(/- \d{4}-\d\d-\d\d 22:05 UTC, Import failed: first: About first/)
  })

  test('are rate limited', async () => {
    pass(24 * hourMs)
    const id = await by(null)
    await panel.deps.db.execute(sql`
      insert into notification_deliveries
        (id, user_id, channel_type, channel_name, status, notification_ids, kinds, due_at, created_at)
      select ${id} || '-' || n, ${ann.user.id}, 'GOTIFY', 'gone', 'SENT', '[]', '{}', ${clock.at.toISOString()}, ${clock.at.toISOString()}
      from generate_series(1, 100) n`)
    await notifyOwner('import-failed', 'hour')
    await notifyOwner('site-down', 'one')
    await notifyOwner('site-down', 'two')
    await notifyOwner('import-failed', 'another')
    const waiting = (await deliveries()).deliveries.filter(({ channelId }) => channelId === id)
    expect(waiting.map(({ count }) => count)).toEqual([2, 2])
    pass(10 * 60_000)
    await deliverDue()
    expect(received.map(({ body }) => body.includes('2 × Site is down'))).toEqual([true])
  })
})

test('a flapping site sends four messages, then its final state', async () => {
  pass(24 * hourMs)
  await deliverDue()
  received.length = 0
  const { id } = await addChannel({ type: 'GOTIFY', name: 'flapping', url, token: 'app-token' })
  const channels = { 'site-down': [id], 'site-up': [id] }
  await ann.request('PUT', '/api/notifications/preferences', { quietHours: null, channels })
  const titles = () => received.map(({ body }) => (JSON.parse(body) as { title: string }).title)
  const [down, up] = ['Site is down: flapping', 'Site is back up: flapping']
  for (const kind of ['site-down', 'site-up', 'site-down', 'site-up', 'site-down', 'site-up', 'site-down'] as const)
    await notifyOwner(kind, 'flapping')
  await deliverDue()
  expect(titles()).toEqual([down, up, down, up])
  expect(received.map(({ body }) => body.includes('keeps changing'))).toEqual([false, false, false, true])
  pass(14 * 60_000)
  await settleSubjects(panel.deps)
  await deliverDue()
  expect(received).toHaveLength(4)
  pass(61_000)
  await settleSubjects(panel.deps)
  await settleSubjects(panel.deps)
  await deliverDue()
  expect(titles().slice(4)).toEqual([down])
  expect(received[4]!.body).not.toContain('keeps changing')
  expect(received[4]!.body).toMatch(/About flapping\\nTime: \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
})

test('messages of one subject stay in order', async () => {
  pass(hourMs)
  await deliverDue()
  received.length = 0
  const { id } = await addChannel({ type: 'GOTIFY', name: 'order', url, token: 'app-token' })
  const channels = { 'site-down': [id], 'site-up': [id] }
  await ann.request('PUT', '/api/notifications/preferences', { quietHours: null, channels })
  const subject = { type: 'check', id: 'order', name: 'order' } as const
  for (const kind of ['site-down', 'site-up'] as const) {
    pass(1)
    const n = { userId: ann.user.id, kind, subject, text: kind }
    await panel.deps.db.transaction((trx) => notify(panel.deps, trx, n))
  }
  const isOrder = eq(notifications.subjectId, 'order')
  const rows = await panel.deps.db.select().from(notifications).where(isOrder).orderBy(desc(notifications.createdAt))
  const deps = { ...panel.deps, now: () => pass(1) }
  await Promise.all(rows.map(({ id }) => planNotification(deps, { notificationId: id })))
  await deliverDue()
  expect(received.map(({ body }) => (JSON.parse(body) as { message: string }).message.split('\n')[0])).toEqual([
    'site-down',
    'site-up'
  ])
})

test('a clock set back does not delay anything', async () => {
  pass(48 * hourMs)
  await deliverDue()
  received.length = 0
  const { id } = await addChannel({ type: 'GOTIFY', name: 'clock', url, token: 'app-token' })
  const channels = { 'site-down': [id], 'site-up': [id] }
  await ann.request('PUT', '/api/notifications/preferences', { quietHours: null, channels })
  const states = ['site-down', 'site-up', 'site-down', 'site-up', 'site-down'] as const
  for (const kind of states) await notifyOwner(kind, 'clock')
  await notifyOwner('site-down', 'fifth of ten minutes')
  await deliverDue()
  expect(received).toHaveLength(5)
  pass(-24 * hourMs)
  await settleSubjects(panel.deps)
  await notifyOwner('site-down', 'at once')
  await deliverDue()
  expect(received).toHaveLength(7)
  pass(24 * hourMs)
})

test('an unknown kind does not block a message', async () => {
  pass(hourMs)
  const { id } = await addChannel({ type: 'GOTIFY', name: 'versions', url, token: 'app-token' })
  await choose('mail-held', id)
  for (let n = 0; n < 8; n++) await notifyOwner('mail-held', `kind${n}`)
  await panel.deps.db.execute(sql`update notifications set kind = 'of-another-version' where subject_id = 'kind6'`)
  await panel.deps.db.execute(sql`
    update notification_deliveries set kinds = '{"mail-held": 2, "of-another-version": 1}' where is_digest and channel_id = ${id}`)
  await deliverAll()
  const [digest] = received.map(({ body }) => body).filter((body) => body.includes('2 × Mail held as spam'))
  expect(digest).toContain('kind7')
  expect(digest).not.toMatch(/kind6|another-version/)
})

test('a suspended account gets nothing', async () => {
  const carl = await panel.createUser(ann)
  const sent = async (text: string) => {
    const n = { userId: carl.user.id, kind: 'import-failed', subject: { type: 'project', id: text, name: text }, text } as const // oxfmt-ignore
    await panel.deps.db.transaction((trx) => notify(panel.deps, trx, n))
    const isOf = eq(notifications.subjectId, text)
    const [row] = await panel.deps.db.select({ id: notifications.id }).from(notifications).where(isOf)
    await planNotification(panel.deps, { notificationId: row!.id })
    return panel.deps.db.$count(notificationDeliveries, eq(notificationDeliveries.userId, carl.user.id))
  }
  expect(await sent('before')).toBe(1)
  expect((await ann.request('POST', `/api/users/${carl.user.id}/suspend`)).statusCode).toBe(200)
  expect(await sent('after')).toBe(1)
})

test('a deleted account leaves nothing', async () => {
  const { db } = panel.deps
  const dan = await panel.createUser(ann)
  const subject = { type: 'check', id: 'dans', name: 'dans' } as const
  const n = { userId: dan.user.id, kind: 'site-down', subject, text: 'down' } as const
  await db.transaction((trx) => notify(panel.deps, trx, n))
  const [row] = await db.select().from(notifications).where(eq(notifications.userId, dan.user.id))
  await planNotification(panel.deps, { notificationId: row!.id })
  await dan.request('PUT', '/api/notifications/preferences', { quietHours: null, channels: {} })
  const tables = [
    notifications,
    notificationSubjects,
    notificationChannels,
    notificationDeliveries,
    notificationPreferences
  ]
  const left = () => Promise.all(tables.map((table) => db.$count(table, eq(table.userId, dan.user.id))))
  expect(await left()).toEqual([1, 1, 1, 1, 1])
  expect((await ann.request('DELETE', `/api/users/${dan.user.id}`)).statusCode).toBe(200)
  expect(await left()).toEqual([0, 0, 0, 0, 0])
})

test('an unrecorded delivery is repeated with the same id', async () => {
  pass(hourMs)
  const { id } = await addChannel({ type: 'WEBHOOK', name: 'killed', url })
  await choose('quota-nearly-used', id)
  await notifyOwner('quota-nearly-used', 'killed')
  const [{ id: deliveryId } = { id: '' }] = (await deliveries()).deliveries
  const { outboundHttp } = panel.deps
  // The process dies after sending, so the delivery stays claimed.
  const killed = { ...panel.deps, outboundHttp: { post: async (request: never) => (await outboundHttp.post(request), new Promise<never>(() => {})) } } // oxfmt-ignore
  void deliver(killed, { deliveryId, attempts: 0 })
  await expect.poll(() => received).toHaveLength(1)
  await deliver(panel.deps, { deliveryId, attempts: 0 })
  await deliver(panel.deps, { deliveryId, attempts: 0 })
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([deliveryId, deliveryId])
  expect((await deliveries()).deliveries[0]).toMatchObject({ status: 'SENT', attempts: 1 })
})

test('a channel’s target can change, keeping its secret; its type cannot', async () => {
  const { id, signingSecret } = await addChannel({ type: 'WEBHOOK', name: 'old', url: 'https://old.example.com/x' })
  const put = (by: Client, values: object) => by.request('PUT', `/api/notifications/channels/${id}`, values)
  const moved = await put(ann, { type: 'WEBHOOK', name: 'new', url: `${url}/moved` })
  expect(moved.statusCode).toBe(200)
  expect(moved.json()).toMatchObject({ id, name: 'new', target: new URL(url).host, problem: null })
  expect(moved.body).not.toContain('/moved')
  await ann.request('POST', `/api/notifications/channels/${id}/test`)
  const [{ path, headers, body }] = received as [(typeof received)[0]]
  expect(path).toBe('/moved')
  const signature = createHmac('sha256', signingSecret!).update(`${String(headers['x-panel-timestamp'])}.${body}`)
  expect(headers['x-panel-signature']).toBe(`sha256=${signature.digest('hex')}`)
  expect((await put(ann, { type: 'SLACK', name: 'new', url })).statusCode).toBe(409)
  expect((await put(bob, { type: 'WEBHOOK', name: 'mine', url })).statusCode).toBe(404)
  expect((await ann.request('PUT', `/api/notifications/channels/email-${ann.user.id}`, { type: 'WEBHOOK', name: 'x', url })).statusCode).toBe(409) // oxfmt-ignore
  await ann.request('DELETE', `/api/notifications/channels/${id}`)
})

test('a test returns its result', async () => {
  const { id } = await addChannel({ type: 'DISCORD', name: 'd', url })
  const run = async () => (await ann.request('POST', `/api/notifications/channels/${id}/test`)).json<ChannelTest>()
  expect(await run()).toEqual({ isDelivered: true, message: 'Delivered', responseCode: 200 })
  expect(JSON.parse(received[0]!.body)).toMatchObject({ allowed_mentions: { parse: [] } })
  status = 404
  expect(await run()).toEqual({ isDelivered: false, message: 'The destination answered 404', responseCode: 404 })
  expect((await bob.request('POST', `/api/notifications/channels/${id}/test`)).statusCode).toBe(404)
})

test('thirty tests an hour, also concurrently', async () => {
  const { id } = await addChannel({ type: 'GOTIFY', name: 'tested', url, token: 'app-token' })
  pass(hourMs + 1000)
  const answers = await Promise.all(
    Array.from({ length: 35 }, () => ann.request('POST', `/api/notifications/channels/${id}/test`))
  )
  const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length
  expect([count(200), count(429)]).toEqual([30, 5])
  expect(received).toHaveLength(30)
})

test('the last 1,000 deliveries and all waiting ones are kept', async () => {
  const { db } = panel.deps
  await db.execute(sql`
    insert into notification_deliveries
      (id, user_id, channel_type, channel_name, status, notification_ids, kinds, due_at, created_at, ended_at)
    select 'kept-' || n, ${bob.user.id}, 'GOTIFY', 'gone', (case when n = 1 then 'WAITING' else 'SENT' end)::notification_delivery_status, '[]', '{}',
      ${clock.at.toISOString()}, ${clock.at.toISOString()}::timestamptz - (2000 - n) * interval '1 minute',
      case when n > 1 then ${clock.at.toISOString()}::timestamptz end
    from generate_series(1, 1700) n`)
  await cleanUpNotifications(panel.deps)
  const isBobs = eq(notificationDeliveries.userId, bob.user.id)
  const rows = await db.select({ id: notificationDeliveries.id }).from(notificationDeliveries).where(isBobs)
  const numbers = rows.map(({ id }) => Number(id.replace('kept-', ''))).sort((a, b) => a - b)
  expect(numbers).toEqual([1, ...Array.from({ length: 1000 }, (_, n) => n + 701)])
})

test('a channel failing for three days is disabled with a notification', async () => {
  pass(24 * hourMs)
  const { id } = await addChannel({ type: 'GOTIFY', name: 'dead', url, token: 'app-token' })
  await choose('mail-held', id)
  status = 500
  await notifyOwner('mail-held', 'first')
  await deliverDue()
  const channel = async () =>
    ((await list(ann, '/api/notifications/channels')) as { channels: NotificationChannel[] }).channels.find(
      (each) => each.id === id
    )!
  expect(await channel()).toMatchObject({ isEnabled: true, problem: 'The destination answered 500' })
  pass(3 * 24 * hourMs)
  await notifyOwner('mail-held', 'second')
  await deliverDue()
  expect(await channel()).toMatchObject({ isEnabled: false })
  const notified = ((await list(ann, '/api/notifications?limit=100')) as NotificationList).notifications
  const off = notified.filter(({ kind }) => kind === 'channel-off')
  expect(off).toMatchObject([{ subject: { type: 'channel', id, name: 'dead' } }])
  expect(off[0]!.text).toContain('The destination answered 500')
  const before = received.length
  await notifyOwner('mail-held', 'third')
  await deliverAll()
  expect(received).toHaveLength(before)
  expect(mailer.sent.map(({ subject }) => subject)).toContain('Channel disabled: dead')
  status = 200
  const on = await ann.request('PATCH', `/api/notifications/channels/${id}`, { isEnabled: true })
  expect(on.json()).toMatchObject({ isEnabled: true, problem: null, failingSince: null })
  await notifyOwner('mail-held', 'fourth')
  await deliverDue()
  expect(received).toHaveLength(before + 1)
})
