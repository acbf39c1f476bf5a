import { describe, expect, test } from 'vitest'
import type { MailQueueQuery } from '@panel/contract/mail-queue'
import type { QueuedMessage } from '../../infra/mail-server/mail-queue.ts'
import { queueFilter, queueMessage } from './queue-message.policy.ts'

const message = (more: Partial<QueuedMessage> = {}): QueuedMessage => ({
  id: '4jXzYh19STzXS6P',
  queue: 'deferred',
  arrivedAt: new Date('2026-11-23T08:26:32Z'),
  bytes: 615,
  sender: 'Ann@one.test',
  recipients: [
    { address: 'new@example.net', reason: undefined },
    { address: 'bob@example.net', reason: 'connect to mx.example.net[192.0.2.25]:25: Connection refused' },
    { address: 'eve@example.org', reason: 'Mailbox is full' }
  ],
  recipientCount: 4,
  ...more
})

test('shows the first reason of the recipients', () => {
  expect(queueMessage(message())).toEqual({
    queueId: '4jXzYh19STzXS6P',
    flagged: 'none',
    arrivedAt: '2026-11-23T08:26:32.000Z',
    size: 615,
    sender: 'Ann@one.test',
    recipients: [
      { address: 'new@example.net', reason: null },
      { address: 'bob@example.net', reason: 'connect to mx.example.net[192.0.2.25]:25: Connection refused' },
      { address: 'eve@example.org', reason: 'Mailbox is full' }
    ],
    recipientCount: 4,
    reason: 'connect to mx.example.net[192.0.2.25]:25: Connection refused'
  })
})

test('no reason before the first attempt', () => {
  expect(queueMessage(message({ recipients: [{ address: 'a@b.test', reason: undefined }] })).reason).toBeNull()
})

test.each<[QueuedMessage['queue'], string]>([
  ['hold', 'held'],
  ['active', 'active'],
  ['incoming', 'none'],
  ['deferred', 'none'],
  ['maildrop', 'none']
])('in the queue %s it is flagged %s', (queue, flagged) => {
  expect(queueMessage(message({ queue })).flagged).toBe(flagged)
})

test('untrusted text is sanitized and truncated', () => {
  const hostile = 'said:\u001b[2J\u202e550\r\nno\u0000'
  const { recipients, sender } = queueMessage(
    message({ sender: hostile, recipients: [{ address: hostile, reason: hostile + 'x'.repeat(10_000) }] })
  )
  expect([sender, recipients[0]!.address]).toEqual(['said: [2J 550 no', 'said: [2J 550 no'])
  expect(recipients[0]!.reason).toMatch(/^said: \[2J 550 no x{483}$/)
})

describe('filter', () => {
  test.each<[Pick<MailQueueQuery, 'flagged' | 'search'>, boolean]>([
    [{}, true],
    [{ search: 'ann@' }, true],
    [{ search: 'EXAMPLE.ORG' }, true],
    [{ search: 'connection refused' }, true],
    [{ search: 'elsewhere' }, false],
    [{ flagged: 'none' }, true],
    [{ flagged: 'held' }, false],
    [{ flagged: 'none', search: 'elsewhere' }, false]
  ])('%j: %s', (query, isWanted) => {
    expect(queueFilter(query)(message())).toBe(isWanted)
  })
})

describe('held messages', () => {
  const held = {
    id: '4jXzYh19STzXS6P',
    login: 'ann@example.com',
    score: 12.34,
    symbols: ['BAYES_SPAM'],
    isFlood: false
  }
  test.each([
    [undefined, 'connect to mx.example.net[192.0.2.25]:25: Connection refused'],
    [held, 'Held by the spam filter: mail from ann@example.com scored 12.3 points (BAYES_SPAM)'],
    [{ ...held, symbols: [] }, 'Held by the spam filter: mail from ann@example.com scored 12.3 points'],
    [
      { ...held, isFlood: true },
      'Held by the spam filter: ann@example.com sent too much other spam within the last hour'
    ]
  ])('%j', (note, reason) => {
    expect(queueMessage(message({ queue: 'hold' }), note).reason).toBe(reason)
  })

  test('without a note', () => {
    const recipients = [{ address: 'bob@example.net', reason: undefined }]
    const reason = 'On hold: put on hold manually, or a spam filter test message (GTUBE)'
    expect(queueMessage(message({ queue: 'hold', recipients })).reason).toBe(reason)
    expect(queueMessage(message({ recipients })).reason).toBeNull()
  })
})
