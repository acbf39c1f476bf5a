import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { createQueueReader } from './postfix-queue-reader.ts'

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

test('a message in any chunks', async () => {
  expect(await readAll(`${line('4jWdh75MSBzLxKl', 1_795_233_447)}\n`, 10)).toEqual({
    total: 1,
    messages: [
      {
        id: '4jWdh75MSBzLxKl',
        queue: 'deferred',
        arrivedAt: new Date('2026-11-21T03:57:27Z'),
        bytes: 480,
        sender: 'alice@one.test',
        recipients: [{ address: 'x@sink.test', reason: 'host 192.0.2.1[192.0.2.1] said: 450 4.2.1 "x": ünfit' }],
        recipientCount: 1
      }
    ]
  })
})

test('keeps the oldest and counts all', async () => {
  const text = [5, 3, 9, 1, 7, 2].map((at) => line(`4jWdh75MSBzLxK${at}`, at)).join('\n')
  const { messages, total } = await readAll(text, 2)
  expect([messages.map(({ arrivedAt }) => arrivedAt.getTime() / 1000), total]).toEqual([[1, 2], 6])
})

test('counts only matching messages', async () => {
  const reader = createQueueReader(1, ({ sender }) => sender === 'ben@one.test')
  reader.stream.write([3, 1, 2].map((at) => line(`4jWdh75MSBzLxK${at}`, at)).join('\n'))
  reader.stream.write(`\n${line('4jWdh75MSBzLxK4', 4, { sender: 'ben@one.test' })}\n`)
  expect(reader.result()).toMatchObject({ total: 1, messages: [{ id: '4jWdh75MSBzLxK4' }] })
})

test('an empty queue and invalid lines', async () => {
  expect(await readAll('', 10)).toEqual({ messages: [], total: 0 })
  expect(await readAll('no json\n{}\n[]\n"x"\n\n', 10)).toEqual({ messages: [], total: 0 })
})

test('no reason before the first attempt', async () => {
  const { messages } = await readAll(
    line('4jWdh75MSBzLxKl', 1, { queue_name: 'active', recipients: [{ address: 'a@b.test' }] }),
    10
  )
  expect(messages[0]!.recipients).toEqual([{ address: 'a@b.test', reason: undefined }])
})

test('keeps the first of many recipients', async () => {
  const recipients = Array.from({ length: 1000 }, (_, n) => ({ address: `${n}@b.test` }))
  const [message] = (await readAll(line('4jWdh75MSBzLxKl', 1, { recipients }), 10, 1000)).messages
  expect([message!.recipients.length, message!.recipients[19]!.address, message!.recipientCount]).toEqual([
    20,
    '19@b.test',
    1000
  ])
})

test('matches any recipient', async () => {
  const recipients = Array.from({ length: 1000 }, (_, n) => ({ address: `${n}@b.test` }))
  const reader = createQueueReader(10, (message) => message.recipients.some(({ address }) => address === '999@b.test'))
  reader.stream.write(`${line('4jWdh75MSBzLxKl', 1, { recipients })}\n${line('4jWdh75MSBzLxK1', 1)}\n`)
  expect(reader.result()).toMatchObject({ total: 1, messages: [{ id: '4jWdh75MSBzLxKl' }] })
})

// Chunk borders within a recipient, at its start and after its end.
test.each([1_000, 4_096, 65_536, 1_000_003])(
  'counts all recipients of a huge message (%i bytes at a time)',
  async (chunkBytes) => {
    const count = 9_000
    // As Postfix writes it; text that looks like a recipient inside a string is escaped.
    const recipients = Array.from(
      { length: count },
      (_, n) =>
        `{"address": "${n}@b.test", "delay_reason": "${'said: 450 {\\"address\\": \\"x\\"}, '.repeat(1 + (n % 3))}"}`
    ).join(', ')
    const long = line('4jWdh75MSBzLxK1', 1, { recipients: [] }).replace('[]', `[${recipients}]`)
    expect(long.length).toBeGreaterThan(500_000)
    const { messages, total } = await readAll(`${long}\n${line('4jWdh75MSBzLxK2', 2)}\n`, 10, chunkBytes)
    expect(total).toBe(2)
    expect(messages.map(({ id, recipientCount }) => [id, recipientCount])).toEqual([
      ['4jWdh75MSBzLxK1', count],
      ['4jWdh75MSBzLxK2', 1]
    ])
    expect(messages[0]!.recipients[1]).toMatchObject({ address: '1@b.test' })
  }
)
