import { expect, test } from 'vitest'
import { createPauses } from './pauses.ts'

test('doubles each pause up to the maximum, and starts over after a reset', () => {
  const pauses = createPauses(1_000, 15_000)
  expect(Array.from({ length: 6 }, () => pauses.next())).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  pauses.reset()
  expect(pauses.next()).toBe(1_000)
})
