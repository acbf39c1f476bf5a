import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MailQueueList } from '@panel/contract/mail-queue'
import type { QueuedMessage } from '../src/infra/mail-server/mail-queue.ts'
import { createNoMailQueue } from '../src/infra/mail-server/no-mail-server.ts'
import type { MemoryMailQueue } from './fakes/memory-mail-queue.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let user: Client
let queue: MemoryMailQueue
beforeAll(async () => {
  panel = await createTestPanel()
  admin = await panel.signUp('admin')
  user = await panel.signUp('user')
  queue = panel.deps.mailQueue as MemoryMailQueue
})
afterAll(() => panel?.close())

const ids = { waiting: '4jXzYh19STzXS6P', active: '4jXzYh35rGzXS80', held: 'AB35826644F', entering: 'AB358266450' }
const missing = '4jXzYh35rGzXS99'
const message = (id: string, name: QueuedMessage['queue'], hour: number, more: Partial<QueuedMessage> = {}) =>
  queue.messages.set(id, {
    id,
    queue: name,
    arrivedAt: new Date(`2026-11-23T0${hour}:00:00Z`),
    bytes: 615,
    sender: 'ann@one.test',
    recipients: [
      { address: 'bob@example.net', reason: 'connect to mx.example.net[192.0.2.25]:25: Connection refused' }
    ],
    recipientCount: 1,
    ...more
  })
beforeEach(() => {
  message(ids.held, 'hold', 2)
  message(ids.waiting, 'deferred', 1)
  message(ids.active, 'active', 3, { sender: '', recipients: [{ address: 'eve@two.test', reason: undefined }] })
  message(ids.entering, 'maildrop', 4)
})
afterEach(() => {
  queue.messages.clear()
  queue.tried.length = 0
  queue.isUnavailable = false
})

const list = async (query = '') => {
  const answer = await admin.request('GET', `/api/mail/queue${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<MailQueueList>()
}
const listed = async (query = '') => (await list(query)).messages.map(({ queueId }) => queueId)
const operate = (id: string, operation: string, by = admin) => by.request('POST', `/api/mail/queue/${id}/${operation}`)
const audited = async (targetId: string) =>
  (await panel.audited({ targetId })).map(({ action, actorId, metadata }) => [action, actorId, metadata])

describe('the list', () => {
  test('is oldest first with reason and state', async () => {
    const { messages, pagination } = await list()
    expect(messages.map(({ queueId, flagged, reason }) => [queueId, flagged, reason])).toEqual([
      [ids.waiting, 'none', 'connect to mx.example.net[192.0.2.25]:25: Connection refused'],
      [ids.held, 'held', 'connect to mx.example.net[192.0.2.25]:25: Connection refused'],
      [ids.active, 'active', null],
      [ids.entering, 'none', 'connect to mx.example.net[192.0.2.25]:25: Connection refused']
    ])
    expect(messages[0]).toMatchObject({
      arrivedAt: '2026-11-23T01:00:00.000Z',
      size: 615,
      sender: 'ann@one.test',
      recipients: [{ address: 'bob@example.net', reason: messages[0]!.reason }],
      recipientCount: 1
    })
    expect(pagination).toEqual({ page: 1, limit: 50, total: 4, totalPages: 1 })
  })

  test('pagination with a total', async () => {
    expect(await listed('?limit=1&page=2')).toEqual([ids.held])
    expect((await list('?limit=3&page=2')).pagination).toEqual({ page: 2, limit: 3, total: 4, totalPages: 2 })
    expect(await listed('?limit=3&page=3')).toEqual([])
  })

  test.each([
    ['?flagged=held', [ids.held]],
    ['?flagged=none', [ids.waiting, ids.entering]],
    ['?search=TWO.test', [ids.active]],
    ['?search=refused&flagged=held', [ids.held]],
    ['?search=nowhere', []]
  ])('only %s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  test('a queue of tens of thousands: the oldest thousand and the total', async () => {
    for (let n = 0; n < 30_000; n++)
      message(`AB${n}0000`, 'deferred', 5, { arrivedAt: new Date(1_795_500_000_000 + n * 1000) })
    const { messages, pagination } = await list('?limit=100&page=10')
    expect([messages.length, pagination.total]).toEqual([100, 30_004])
    const beyond = await admin.request('GET', '/api/mail/queue?limit=100&page=11')
    expect([beyond.statusCode, beyond.json<{ details: unknown }>().details]).toEqual([
      400,
      [{ path: 'page', message: expect.stringContaining('narrow the list') as string, code: 'INVALID' }]
    ])
  })

  test.each(['?flagged=ALL', '?limit=101', '?page=0', '?search=a%0Ab'])('%s is refused', async (query) => {
    expect((await admin.request('GET', `/api/mail/queue${query}`)).statusCode).toBe(400)
  })
})

describe('one message', () => {
  const stateOf = (id: string) => queue.messages.get(id)?.queue

  test.each<[string, string, string, string | undefined, string]>([
    ['hold', ids.waiting, 'mail_queue.message_held', 'hold', 'is on hold'],
    ['hold', ids.active, 'mail_queue.message_held', 'hold', 'is on hold'],
    ['release', ids.held, 'mail_queue.message_released', 'deferred', 'is not on hold'],
    ['delete', ids.waiting, 'mail_queue.message_deleted', undefined, 'is deleted'],
    ['delete', ids.held, 'mail_queue.message_deleted', undefined, 'is deleted'],
    ['flush', ids.waiting, 'mail_queue.message_flushed', 'deferred', 'is being retried']
  ])('%s %s: done and audited', async (operation, id, action, state, words) => {
    const before = await audited(id)
    const { sender } = queue.messages.get(id)!
    const answer = await operate(id, operation)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: `Message ${id} ${words}` }])
    expect(stateOf(id)).toBe(state)
    expect(queue.tried).toEqual(operation === 'flush' ? [id] : [])
    expect(queue.messages.size).toBe(state === undefined ? 3 : 4)
    expect((await audited(id)).slice(before.length)).toEqual([[action, admin.user.id, { sender }]])
  })

  test.each([
    ['hold', ids.held],
    ['release', ids.waiting],
    ['release', ids.active],
    ['flush', ids.active]
  ])('%s %s: already done, not audited', async (operation, id) => {
    const before = await audited(id)
    const state = stateOf(id)
    expect((await operate(id, operation)).statusCode).toBe(200)
    expect([stateOf(id), queue.tried, await audited(id)]).toEqual([state, [], before])
  })

  test.each<[string, string, number, string]>([
    ['flush', ids.held, 409, 'CONFLICT'],
    ['delete', ids.entering, 409, 'CONFLICT'],
    ['hold', ids.entering, 409, 'CONFLICT'],
    ...['delete', 'hold', 'release', 'flush'].map((each): [string, string, number, string] => [
      each,
      missing,
      404,
      'NOT_FOUND'
    ])
  ])('%s %s: %i %s', async (operation, id, status, code) => {
    const answer = await operate(id, operation)
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code])
    expect([queue.messages.size, queue.tried, await audited(id)]).toEqual([4, [], expect.anything()])
  })

  test('one that disappears meanwhile is gone', async () => {
    const { hold } = queue
    queue.hold = async () => false
    try {
      expect((await operate(ids.waiting, 'hold')).statusCode).toBe(404)
    } finally {
      queue.hold = hold
    }
  })

  test.each([
    'ALL',
    'all',
    '-',
    '--',
    '..%2Factive',
    'AB35826644F%0A',
    'a;b',
    '4jWdh75MSBz',
    '%F0%9F%98%80',
    'x'.repeat(99)
  ])('an invalid message id is not passed on: %s', async (id) => {
    for (const operation of ['delete', 'hold', 'release', 'flush']) {
      const answer = await operate(id, operation)
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'NOT_FOUND'])
    }
    expect([queue.messages.size, queue.tried]).toEqual([4, []])
  })

  test('other operations do not exist', async () => {
    expect((await operate(ids.waiting, 'requeue')).statusCode).toBe(404)
  })
})

test('flushing all is audited', async () => {
  const answer = await admin.request('POST', '/api/mail/queue/flush')
  expect([answer.statusCode, queue.tried]).toEqual([200, ['all']])
  expect((await panel.audited({ action: 'mail_queue.flushed' })).map(({ actorId }) => actorId)).toEqual([admin.user.id])
})

const all: [string, string][] = [
  ['GET', '/api/mail/queue'],
  ['POST', '/api/mail/queue/flush'],
  ...['delete', 'flush', 'hold', 'release'].map((each): [string, string] => [
    'POST',
    `/api/mail/queue/${ids.waiting}/${each}`
  ])
]

test.each(all)('%s %s requires an administrator', async (method, url) => {
  const answer = await user.request(method as 'GET', url)
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'FORBIDDEN_ROLE'])
  expect((await panel.app.inject({ method: method as 'GET', url })).statusCode).toBe(401)
  expect([queue.messages.size, queue.tried]).toEqual([4, []])
})

test.each(all)('%s %s while the mail server is down: 503', async (method, url) => {
  queue.isUnavailable = true
  const answer = await admin.request(method as 'GET', url)
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'MAIL_UNAVAILABLE'])
})

test('disabled mail is reported', async () => {
  const without = await createTestPanel({ MAIL: 'off' }, { mailQueue: createNoMailQueue() })
  try {
    const first = await without.signUp()
    for (const [method, url] of all) {
      const answer = await first.request(method as 'GET', url)
      expect([answer.statusCode, answer.json()]).toEqual([
        503,
        expect.objectContaining({
          code: 'MAIL_UNAVAILABLE',
          outage: expect.objectContaining({ sentences: [{ code: 'TURN_ON_MAIL' }] })
        })
      ])
    }
  } finally {
    await without.close()
  }
})
