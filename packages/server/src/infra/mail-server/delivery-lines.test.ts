import { describe, expect, test } from 'vitest'
import { forgedLines, longLines, otherLines, usualLines } from '../../../test/fixtures/mail-log.fixture.ts'
import type { DeliveryEntry } from './delivery-log.ts'
import { readDeliveries } from './delivery-lines.ts'

const now = new Date('2026-11-23T09:00:00Z')
const at = 'Nov 23 08:31:08 mail'
/** Log lines oldest first; entries newest first. */
const read = (...lines: string[]) => readDeliveries(lines.reverse(), now)

const plain: DeliveryEntry = {
  at: new Date('2026-11-23T08:31:08Z'),
  status: 'deferred',
  sender: undefined,
  recipient: 'x@[127.0.0.99]',
  originalRecipient: undefined,
  queueId: '4jXzYh19STzXS6P',
  relay: undefined,
  delaySeconds: 0.08,
  reason: 'connect to 127.0.0.99[127.0.0.99]:25: Connection refused'
}
const delivery = ({
  process = 'postfix/smtp',
  to = 'to=<x@[127.0.0.99]>',
  relay = 'none',
  delay = 'delay=0.08',
  status = 'deferred',
  reason = '(connect to 127.0.0.99[127.0.0.99]:25: Connection refused)'
}) =>
  `${at} ${process}[10576]: 4jXzYh19STzXS6P: ${to}, relay=${relay}, ${delay}, delays=0.07/0.01/0/0, dsn=4.4.1, status=${status} ${reason}`.trimEnd()

const forged = 'a>, relay=fake[1.2.3.4]:25, delay=1, delays=1/0/0/0, dsn=2.0.0, status=sent (250 ok'

describe('a delivery', () => {
  test.each<[string, Parameters<typeof delivery>[0], Partial<DeliveryEntry>]>([
    ['that waits', {}, {}],
    ['that was made', { status: 'sent', reason: '(250 ok)' }, { status: 'success', reason: '250 ok' }],
    ['that was given back', { status: 'bounced', reason: '(no)' }, { status: 'bounced', reason: 'no' }],
    ['given up for its age', { status: 'expired', reason: '(old)' }, { status: 'bounced', reason: 'old' }],
    ['without a reason', { status: 'sent', reason: '' }, { status: 'success', reason: '' }],
    ['by LMTP', { process: 'postfix/lmtp' }, {}],
    ['by a transport that says it waits', { process: 'postfix/error' }, {}],
    ['of a service with a name of its own', { process: 'postfix/out/smtp' }, {}],
    [
      'over a connection that was there',
      { relay: 'mx.test[192.0.2.1]:25', delay: 'conn_use=3, delay=1801' },
      { relay: 'mx.test[192.0.2.1]:25', delaySeconds: 1801 }
    ],
    ['over IPv6', { relay: 'mx.test[2001:db8::1]:25' }, { relay: 'mx.test[2001:db8::1]:25' }],
    ['by a socket', { relay: 'mail.test[private/lmtp]' }, { relay: 'mail.test[private/lmtp]' }],
    [
      'by an alias',
      { to: 'to=<eve@two.test>, orig_to=<on@one.test>' },
      { recipient: 'eve@two.test', originalRecipient: 'on@one.test' }
    ],
    ['to a quoted address', { to: 'to=<"a b\\"c"@one.test>' }, { recipient: '"a b\\"c"@one.test' }],
    ['to nothing before the @', { to: 'to=<""@one.test>' }, { recipient: '""@one.test' }],
    ['to an address within another', { to: 'to=<"a@b"@one.test>' }, { recipient: '"a@b"@one.test' }],
    ['to a name alone', { to: 'to=<root>' }, { recipient: 'root' }],
    ['to nobody', { to: 'to=<>' }, { recipient: '' }],
    [
      'to letters from everywhere',
      { to: 'to=<jürg\u3000x\u2028y@ünï.test>' },
      { recipient: 'jürg\u3000x\u2028y@ünï.test' }
    ],
    [
      'to a recipient that looks like the rest',
      { to: `to=<"${forged}"@one.test>` },
      { recipient: `"${forged}"@one.test` }
    ],
    [
      'by an alias that looks like the rest',
      { to: `to=<x@one.test>, orig_to=<"${forged}"@one.test>` },
      { recipient: 'x@one.test', originalRecipient: `"${forged}"@one.test` }
    ],
    [
      'with a reply that looks like another line',
      { reason: '(said: 450 to=<victim@z>, relay=none, status=sent (250 ok) (in reply to RCPT TO command))' },
      { reason: 'said: 450 to=<victim@z>, relay=none, status=sent (250 ok) (in reply to RCPT TO command)' }
    ],
    ['with a reply of several lines', { reason: '(a\u2028b\u0085c)' }, { reason: 'a\u2028b\u0085c' }]
  ])('%s', (_, message, expected) => {
    expect(read(delivery(message))).toEqual([{ ...plain, ...expected }])
  })
})

describe('what was not taken', () => {
  const client = 'unknown[198.51.100.7]'
  const greeting = 'proto=ESMTP helo=<evil??to=?victim?x?>'
  const base: DeliveryEntry = {
    at: plain.at,
    status: 'rejected',
    sender: 'q@e.example',
    recipient: 'no@one.test',
    originalRecipient: undefined,
    queueId: undefined,
    relay: client,
    delaySeconds: undefined,
    reason: '550 5.1.1 <no@one.test>: Recipient address rejected: User unknown in virtual mailbox table'
  }
  const quoted = '; from=<a@b> to=<victim@c> proto=ESMTP helo=<x'
  test.each<[string, string, Partial<DeliveryEntry>]>([
    [
      'for its recipient',
      `postfix/smtpd[1]: NOQUEUE: reject: RCPT from ${client}: ${base.reason}; from=<q@e.example> to=<no@one.test> ${greeting}`,
      {}
    ],
    [
      'for now',
      `postfix/smtpd[1]: NOQUEUE: reject: RCPT from ${client}: 450 4.2.1 <eve@two.test>: Recipient address rejected: later; from=<> to=<eve@two.test> ${greeting}`,
      {
        status: 'deferred',
        sender: '',
        recipient: 'eve@two.test',
        reason: '450 4.2.1 <eve@two.test>: Recipient address rejected: later'
      }
    ],
    [
      'of who had logged in',
      `postfix/submission/smtpd[1]: NOQUEUE: reject: RCPT from ${client}: 553 5.7.1 <zed@x.test>: Sender address rejected: not owned by user ann@one.test; from=<zed@x.test> to=<ben@one.test> ${greeting}`,
      {
        sender: 'zed@x.test',
        recipient: 'ben@one.test',
        reason: '553 5.7.1 <zed@x.test>: Sender address rejected: not owned by user ann@one.test'
      }
    ],
    [
      'before it named a recipient',
      `postfix/smtpd[1]: NOQUEUE: reject: MAIL from ${client}: 552 5.3.4 Message size exceeds fixed limit; from=<q@e.example> proto=ESMTP helo=<h>`,
      { recipient: undefined, reason: '552 5.3.4 Message size exceeds fixed limit' }
    ],
    [
      'by a filter, with its id',
      `postfix/cleanup[1]: 4jXzYh19STzXS6P: milter-reject: END-OF-MESSAGE from ${client}: 5.7.1 Spam; no; from=<q@e.example> to=<no@one.test> ${greeting}`,
      { queueId: '4jXzYh19STzXS6P', reason: '5.7.1 Spam; no' }
    ],
    [
      'while the filter is away',
      `postfix/smtpd[1]: NOQUEUE: milter-reject: CONNECT from ${client}: 451 4.7.1 Service unavailable - try again later; from=<q@e.example> to=<no@one.test> ${greeting}`,
      { status: 'deferred', reason: '451 4.7.1 Service unavailable - try again later' }
    ],
    [
      // The reject line before it has the address as given, unquoted.
      'of a recipient that looks like the rest',
      `postfix/smtpd[1]: NOQUEUE: reject: RCPT from ${client}: 554 5.7.1 <${quoted}@one.test>: Relay access denied; from=<q@e.example> to=<"${quoted}"@one.test> ${greeting}`,
      { recipient: `"${quoted}"@one.test`, reason: `554 5.7.1 <${quoted}@one.test>: Relay access denied` }
    ],
    [
      'of a sender that looks like the rest',
      `postfix/smtpd[1]: NOQUEUE: reject: RCPT from ${client}: ${base.reason}; from=<"${quoted}"@e.example> to=<no@one.test> ${greeting}`,
      { sender: `"${quoted}"@e.example` }
    ]
  ])('%s', (_, line, expected) => {
    expect(read(`${at} ${line}`)).toEqual([{ ...base, ...expected }])
  })

  test.each(['reject_warning', 'hold', 'discard', 'filter'])('%s is none', (word) => {
    expect(
      read(`${at} postfix/smtpd[1]: NOQUEUE: ${word}: RCPT from ${client}: ${base.reason}; from=<> to=<> ${greeting}`)
    ).toEqual([])
  })
})

describe('the sender', () => {
  const queued = (sender: string, id = '4jXzYh19STzXS6P') =>
    `${at} postfix/qmgr[18582]: ${id}: from=<${sender}>, size=615, nrcpt=1 (queue active)`

  test.each(['ann@one.test', '', '"a>, size=1, nrcpt=1 (queue active)"@x.example'])(
    '%j is of its message',
    (sender) => {
      expect(read(queued('eve@two.test', '4jXzYh19STzXS6Q'), queued(sender), delivery({}))).toEqual([
        { ...plain, sender }
      ])
    }
  )

  test('one that was written before the lines is not known', () => {
    expect(read(delivery({}))[0]!.sender).toBeUndefined()
  })

  test.each(['a@x>, size=1, nrcpt=1 (queue active), from=<b@x', 'victim@z>, size=1, nrcpt=1 (queue active)\u0085'])(
    '%j is none',
    (sender) => {
      expect(read(queued(sender), delivery({}))[0]!.sender).toBeUndefined()
    }
  )
})

test.each(['expired', 'force-expired'])('a message that is given up as a whole: %s', (word) => {
  expect(
    read(`${at} postfix/qmgr[1]: 4jXzYh19STzXS6P: from=<ann@one.test>, status=${word}, returned to sender`)
  ).toEqual([
    {
      ...plain,
      status: 'bounced',
      sender: 'ann@one.test',
      recipient: undefined,
      delaySeconds: undefined,
      reason: 'expired, returned to sender'
    }
  ])
})

test('a bounce and its notification message are both listed, newest first', () => {
  const entries = read(
    `${at} postfix/qmgr[1]: AB35826644F: from=<ann@one.test>, size=1, nrcpt=1 (queue active)`,
    `${at} postfix/smtp[1]: AB35826644F: to=<no@x.test>, relay=x[192.0.2.1]:25, delay=1, delays=0/0/0/1, dsn=5.1.1, status=bounced (no)`,
    `${at} postfix/bounce[1]: AB35826644F: sender non-delivery notification: AB358266450`,
    `${at} postfix/qmgr[1]: AB358266450: from=<>, size=1, nrcpt=1 (queue active)`,
    `${at} postfix/lmtp[1]: AB358266450: to=<ann@one.test>, relay=y[127.0.0.1]:24, delay=1, delays=0/0/0/1, dsn=2.0.0, status=sent (ok)`
  )
  expect(entries.map(({ status, sender, recipient }) => [status, sender, recipient])).toEqual([
    ['success', '', 'ann@one.test'],
    ['bounced', 'ann@one.test', 'no@x.test']
  ])
})

test('forwarded mail, which passes Postfix twice, is one delivery: from the first sender, by the alias', () => {
  const handOver = (id: string, status: string) =>
    `${at} postfix/forward/smtp[1]: AB35826644F: to=<friend@far.example>, orig_to=<partner@one.test>, relay=127.0.0.1[127.0.0.1]:12350, delay=1, delays=0/0/0/1, dsn=2.0.0, status=${status} (250 2.0.0 Ok: queued as ${id})`
  const first = `${at} postfix/qmgr[1]: AB35826644F: from=<a@b.example>, size=1, nrcpt=1 (queue active)`
  const entries = read(
    first,
    handOver('AB358266450', 'sent'),
    `${at} postfix/qmgr[1]: AB358266450: from=<SRS0=abcd=JR=b.example=a@mail.one.test>, size=1, nrcpt=1 (queue active)`,
    `${at} postfix/smtp[1]: AB358266450: to=<friend@far.example>, relay=far[192.0.2.1]:25, delay=1, delays=0/0/0/1, dsn=5.1.1, status=bounced (no)`
  )
  expect(
    entries.map(({ status, queueId, sender, originalRecipient }) => [status, queueId, sender, originalRecipient])
  ).toEqual([['bounced', 'AB358266450', 'a@b.example', 'partner@one.test']])
  // What has not been handed over waits there.
  expect(read(first, handOver('AB358266450', 'deferred'))).toMatchObject([
    { status: 'deferred', sender: 'a@b.example' }
  ])
})

test.each(otherLines)('no delivery: %s', (line) => {
  expect(read(line)).toEqual([])
})

test.each(forgedLines)('forged or broken: %s', (line) => {
  expect(read(line)).toEqual([])
})

test('lines of any length are read quickly', () => {
  expect(read(...longLines)).toEqual([])
  expect(read(...longLines, delivery({ reason: `(${'x'.repeat(8_000)})` }), ...longLines)).toHaveLength(1)
})

test('of usual lines each delivery is there', () => {
  const entries = read(...usualLines(900))
  const count = (status: DeliveryEntry['status']) => entries.filter((entry) => entry.status === status).length
  expect([count('success'), count('deferred'), count('rejected'), count('bounced')]).toEqual([100, 100, 100, 0])
  expect(entries.every(({ sender }) => sender !== undefined)).toBe(true)
})

describe('the year', () => {
  const on = (day: string) => delivery({}).replace('Nov 23', day)
  const yearsOf = (today: string, ...days: string[]) =>
    readDeliveries(days.map(on).reverse(), new Date(today)).map((entry) => entry.at.toISOString().slice(0, 10))

  test.each<[string, string[], string[]]>([
    ['2026-11-23T09:00:00Z', ['Jan  3', 'Nov 23'], ['2026-11-23', '2026-01-03']],
    // Across the turn of years, and further than one.
    ['2027-01-01T00:10:00Z', ['Dec 31', 'Jan  1'], ['2027-01-01', '2026-12-31']],
    ['2027-01-02T00:10:00Z', ['Nov 30', 'Feb  2', 'Dec 31'], ['2026-12-31', '2026-02-02', '2025-11-30']],
    // A clock that was set back a little.
    ['2026-11-23T08:31:00Z', ['Nov 24', 'Nov 23'], ['2026-11-23', '2026-11-24']],
    ['2026-12-31T23:59:59Z', ['Jan  1'], ['2027-01-01']],
    ['2027-03-01T00:00:00Z', ['Feb 29'], ['2024-02-29']],
    ['2026-11-23T09:00:00Z', ['Xyz 99', 'Feb 30', 'Nov  0', 'Nov 23'], ['2026-11-23']]
  ])('on %s', (today, days, expected) => {
    expect(yearsOf(today, ...days)).toEqual(expected)
  })
})
