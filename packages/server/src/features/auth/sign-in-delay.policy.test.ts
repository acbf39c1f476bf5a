import { expect, test } from 'vitest'
import { signInDelayMs } from './sign-in-delay.policy.ts'

test.each([
  [0, 0],
  [9, 0],
  [10, 500],
  [11, 1_000],
  [13, 4_000],
  [14, 8_000],
  [10_000, 8_000]
])('after %d wrong passwords an attempt is delayed by %d ms', (failures, delay) =>
  expect(signInDelayMs(failures)).toBe(delay)
)
