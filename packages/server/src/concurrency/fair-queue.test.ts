import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

function observe(limits: Parameters<typeof createFairQueue>[0]) {
  const queue = createFairQueue(limits, 'calls')
  const inside: { name: string; leave: () => void }[] = []
  const order: string[] = []
  const ask = (key: string, name: string, share?: number) =>
    queue.enter(key, share).then((leave) => {
      order.push(name)
      inside.push({ name, leave })
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    queue,
    order,
    ask,
    settle,
    async leaveFirst() {
      inside.shift()!.leave()
      await settle()
    }
  }
}

test('a key with much work delays another by one job only', async () => {
  const { ask, order, leaveFirst, settle } = observe({ total: 1, perKey: 1, waiting: 10 })
  for (let n = 1; n <= 5; n++) void ask('a', `a${n}`)
  void ask('b', 'b1')
  void ask('b', 'b2')
  void ask('c', 'c1')
  await settle()
  for (let n = 0; n < 7; n++) await leaveFirst()
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5'])
})

test('one key takes no more than its share, even with free slots', async () => {
  const { ask, order, leaveFirst, settle } = observe({ total: 3, perKey: 2, waiting: 10 })
  for (let n = 1; n <= 4; n++) void ask('a', `a${n}`)
  void ask('b', 'b1')
  await settle()
  expect(order).toEqual(['a1', 'a2', 'b1'])
  await leaveFirst()
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('a large job waits for enough of its key’s share, keeps its position and takes one slot of the total', async () => {
  const { ask, order, leaveFirst, settle } = observe({ total: 3, perKey: 2, waiting: 10 })
  void ask('a', 'a1')
  void ask('a', 'large', 2)
  void ask('a', 'a2')
  void ask('b', 'larger than its share', 5)
  void ask('c', 'c1')
  await settle()
  expect(order).toEqual(['a1', 'larger than its share', 'c1'])
  await leaveFirst()
  expect(order.slice(3)).toEqual(['large'])
  for (let n = 0; n < 3; n++) await leaveFirst()
  expect(order.slice(3)).toEqual(['large', 'a2'])
})

test('a full queue of one key is refused, while others still enter', async () => {
  const { ask, order, settle } = observe({ total: 2, perKey: 1, waiting: 1 })
  void ask('a', 'a1')
  void ask('a', 'a2')
  await expect(ask('a', 'a3')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Too many calls at once. Wait for some to finish.',
    retryAfterSeconds: 1
  })
  void ask('b', 'b1')
  await settle()
  expect(order).toEqual(['a1', 'b1'])
})

test('a slot is released once, also by failing work', async () => {
  const { queue, ask, order, settle } = observe({ total: 1, perKey: 1, waiting: 5 })
  const leave = await queue.enter('a')
  void ask('a', 'a2')
  void ask('b', 'b1')
  leave()
  leave()
  await settle()
  expect(order).toEqual(['a2'])
  const other = createFairQueue({ total: 1, perKey: 1, waiting: 5 }, 'calls')
  await expect(other.run('a', () => Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  await expect(other.run('a', async () => 'free')).resolves.toBe('free')
})
