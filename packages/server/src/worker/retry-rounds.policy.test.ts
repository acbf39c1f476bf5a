import { expect, test } from 'vitest'
import { roundsToSkip } from './retry-rounds.policy.ts'

test.each([
  [1, 0],
  [2, 1],
  [3, 3],
  [4, 7],
  [5, 15],
  [6, 31],
  [7, 31],
  [2_000, 31]
])('after %i failures in a row, %i rounds are skipped', (failures, skipped) => {
  expect(roundsToSkip(failures)).toBe(skipped)
})
