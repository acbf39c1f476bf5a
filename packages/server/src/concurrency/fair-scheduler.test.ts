import { expect, test } from 'vitest'
import { createFairScheduler } from './fair-scheduler.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('runs perTick chunks per event-loop tick, in order', async () => {
  const turns = createFairScheduler(2)
  const done: number[] = []
  for (const piece of [1, 2, 3, 4, 5]) void turns('a').then(() => done.push(piece))
  await Promise.resolve()
  expect(done).toEqual([1, 2])
  await nextTurn()
  expect(done).toEqual([1, 2, 3, 4])
  await nextTurn()
  expect(done).toEqual([1, 2, 3, 4, 5])
})

test('a key with many chunks delays another by one only', async () => {
  const turns = createFairScheduler(1)
  const done: string[] = []
  for (const [key, count] of [
    ['a', 4],
    ['b', 2],
    ['c', 1]
  ] as const)
    for (let piece = 1; piece <= count; piece++) void turns(key).then(() => done.push(`${key}${piece}`))
  for (let n = 0; n < 7; n++) await nextTurn()
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('later chunks queue up, and an idle tick resets the limit', async () => {
  const turns = createFairScheduler(1)
  const done: string[] = []
  const take = (piece: string) => void turns('a').then(() => done.push(piece))
  take('first')
  take('second')
  await nextTurn()
  take('third')
  expect(done).toEqual(['first', 'second'])
  for (let n = 0; n < 4; n++) await nextTurn()
  expect(done).toEqual(['first', 'second', 'third'])
  take('again')
  await Promise.resolve()
  expect(done.at(-1)).toBe('again')
})
