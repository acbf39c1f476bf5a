import { expect, test } from 'vitest'
import { onFirstUse } from './on-first-use.ts'

interface Counter {
  add(a: number, b: number): Promise<number>
  fail(): Promise<void>
}

test('loads once on the first call and forwards arguments, results and errors', async () => {
  let loads = 0
  const counter = onFirstUse<Counter>(
    async () => {
      loads++
      return {
        add: async (a, b) => a + b,
        async fail() {
          throw new Error('refused')
        }
      }
    },
    { add: true, fail: true }
  )
  expect(loads).toBe(0)
  expect(await Promise.all([counter.add(1, 2), counter.add(3, 4)])).toEqual([3, 7])
  await expect(counter.fail()).rejects.toThrow('refused')
  expect(loads).toBe(1)
})
