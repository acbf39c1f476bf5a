import { expect, test } from 'vitest'
import { createPauses } from './pauses.ts'

test('each pause is twice the one before, up to the longest, and short again once something came of it', () => {
  const pauses = createPauses(1_000, 15_000)
  expect(Array.from({ length: 6 }, () => pauses.next())).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  pauses.reset()
  expect(pauses.next()).toBe(1_000)
})
