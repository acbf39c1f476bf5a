import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEventQueue } from './event-queue.ts'

test('events keep their order and do not block the event loop', async () => {
  const taken: number[] = []
  const add = createEventQueue<number>(10, {
    take: (event) => taken.push(event),
    onError: (error) => expect.unreachable(String(error))
  })
  for (let n = 0; n < 95; n++) add(n)
  const seen: number[] = []
  while (taken.length < 95) {
    await nextTurn()
    seen.push(taken.length)
    if (seen.length === 3) add(95)
  }
  expect(seen).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 96])
  expect(taken).toEqual(Array.from({ length: 96 }, (_, n) => n))
  add(96)
  await nextTurn()
  expect(taken.at(-1)).toBe(96)
})

test('one failing event does not stop the others', async () => {
  const taken: number[] = []
  const errors: unknown[] = []
  const take = (event: number) => {
    if (event === 1) throw new Error('one')
    taken.push(event)
  }
  const add = createEventQueue<number>(10, { take, onError: (error) => errors.push(error) })
  for (let n = 0; n < 4; n++) add(n)
  await nextTurn()
  expect(taken).toEqual([0, 2, 3])
  expect(errors).toEqual([new Error('one')])
})
