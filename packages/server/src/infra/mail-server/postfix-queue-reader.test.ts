import { finished } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { createQueueReader } from './postfix-queue-reader.ts'
import { isQueueId } from './queue-id.ts'

const line = (id: string, arrival: number, more: object = {}) =>
  JSON.stringify({
    queue_name: 'deferred',
    queue_id: id,
    arrival_time: arrival,
    message_size: 480,
    forced_expire: false,
    sender: 'alice@one.test',
    recipients: [{ address: 'x@sink.test', delay_reason: 'host 192.0.2.1[192.0.2.1] said: 450 4.2.1 "x": ünfit' }],
    ...more
  })

async function readAll(text: string, limit: number, chunkBytes = 7) {
  const reader = createQueueReader(limit)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.stream.write(bytes.subarray(at, at + chunkBytes))
  reader.stream.end()
  await finished(reader.stream)
  return reader.result()
}

test('a message, in whatever pieces it comes', async () => {
  expect(await readAll(`${line('4jWdh75MSBzLxKl', 1_795_233_447)}\n`, 10)).toEqual({
    isCut: false,
    messages: [
      {
        id: '4jWdh75MSBzLxKl',
        queue: 'deferred',
        arrivedAt: new Date('2026-11-21T03:57:27Z'),
        bytes: 480,
        sender: 'alice@one.test',
        recipients: [{ address: 'x@sink.test', reason: 'host 192.0.2.1[192.0.2.1] said: 450 4.2.1 "x": ünfit' }]
      }
    ]
  })
})

test('the oldest are kept, and it is said that there are more', async () => {
  const text = [5, 3, 9, 1, 7, 2].map((at) => line(`4jWdh75MSBzLxK${at}`, at)).join('\n')
  const { messages, isCut } = await readAll(text, 2)
  expect([messages.map(({ arrivedAt }) => arrivedAt.getTime() / 1000), isCut]).toEqual([[1, 2], true])
})

test('those of one second are in the order in which they came, by what the ids say', async () => {
  const ids = ['4jXt4H12ntzW8v6', '4jXt4Gz2ntzW8v7', '4jXt4H1BntzW8v5']
  const { messages } = await readAll(ids.map((id) => line(id, 7)).join('\n'), 2)
  expect(messages.map(({ id }) => id)).toEqual(['4jXt4Gz2ntzW8v7', '4jXt4H12ntzW8v6'])
})

test('an empty queue, and lines that are no message', async () => {
  expect(await readAll('', 10)).toEqual({ messages: [], isCut: false })
  expect(await readAll('no json\n{}\n[]\n"x"\n', 10)).toEqual({ messages: [], isCut: false })
})

test('one that was never tried has no reason', async () => {
  const { messages } = await readAll(
    line('4jWdh75MSBzLxKl', 1, { queue_name: 'active', recipients: [{ address: 'a@b.test' }] }),
    10
  )
  expect(messages[0]!.recipients).toEqual([{ address: 'a@b.test', reason: undefined }])
})

describe('an id', () => {
  test.each(['4jWdh75MSBzLxKl', '4jXt4H12ntzW8v6', 'AB35826644F', '0123456789AB'])('%s', (id) => {
    expect(isQueueId(id)).toBe(true)
  })

  test.each([
    'ALL',
    'all',
    '-',
    '',
    '-d',
    '../etc',
    'AB35826644F\n',
    'AB358 26644F',
    'abc',
    '4jWdh75MSBz',
    '4jWdh75MSBzz'.repeat(9)
  ])('not %j', (id) => {
    expect(isQueueId(id)).toBe(false)
  })
})
