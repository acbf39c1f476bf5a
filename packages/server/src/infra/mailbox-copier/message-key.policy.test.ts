import { expect, test } from 'vitest'
import { createArrivals, messageKey, sizeWithCrlf } from './message-key.policy.ts'

const receivedAt = new Date('2020-02-03T04:05:06.789Z')
const keyOf = (head: string, more: { receivedAt?: Date; size?: number } = {}) =>
  messageKey({ receivedAt, size: 100, head: Buffer.from(head), ...more })
const original = 'Subject: x\r\nMessage-ID: <a@b>\r\n\r\nMessage-ID: <other>\r\n'

test.each<[string, string, { receivedAt?: Date; size?: number }?]>([
  ['of the header alone', 'Message-Id: <a@b>\r\n\r\n'],
  ['with bare line ends', 'Subject: x\nMESSAGE-ID: <a@b>\n\nbody'],
  ['folded', 'Message-ID:\r\n <a@b>\r\n\r\n'],
  ['parts of a second', original, { receivedAt: new Date('2020-02-03T04:05:06.000Z') }]
])('the same message: %s', (_what, head, more) => expect(keyOf(head, more)).toBe(keyOf(original)))

test.each<[string, string, { receivedAt?: Date; size?: number }?]>([
  ['another id', 'Message-ID: <c@b>\r\n\r\n'],
  ['none', 'Subject: x\r\n\r\nMessage-ID: <a@b>\r\n'],
  ['another second', original, { receivedAt: new Date('2020-02-03T04:05:07.000Z') }],
  ['another size', original, { size: 101 }]
])('another message: %s', (_what, head, more) => expect(keyOf(head, more)).not.toBe(keyOf(original)))

test.each([
  ['', 0],
  ['a\r\nb\r\n', 6],
  ['a\nb\n', 6],
  ['\n', 2],
  ['\r', 1],
  ['\r\r\n\n', 5]
])('the size of %j is %i with CRLF', (text, size) => expect(sizeWithCrlf(Buffer.from(text))).toBe(size))

test('each copy is known again once, the oldest first', () => {
  const arrivals = createArrivals()
  arrivals.add('a', 3)
  arrivals.add('a', 5)
  arrivals.add('b', 4)
  expect(['a', 'a', 'a', 'c', 'b', 'b'].map((key) => arrivals.take(key))).toEqual([
    3,
    5,
    undefined,
    undefined,
    4,
    undefined
  ])
})
