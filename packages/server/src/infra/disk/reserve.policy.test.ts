import { expect, test } from 'vitest'
import { reserveStep } from './reserve.policy.ts'

test.each([
  [true, 100, undefined],
  [true, 13, undefined],
  [true, 12, 'release'],
  [true, 0, 'release'],
  [false, 112, undefined],
  [false, 249, undefined],
  [false, 250, 'take']
])('held: %s, %d free of a reserve of 100: %s', (isHeld, free, step) =>
  expect(reserveStep({ free, bytes: 100, isHeld })).toBe(step)
)
