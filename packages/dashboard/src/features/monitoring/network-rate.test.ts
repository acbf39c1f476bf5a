import { expect, test } from 'vitest'
import { ratesBetween } from './network-rate.ts'

const counted = (networkReceived: number | null, networkSent: number | null) => ({ networkReceived, networkSent })

test.each([
  ['bytes per second', counted(100, 50), counted(600, 50), 5, [100, 0]],
  ['null without an earlier reading', undefined, counted(600, 50), 5, [null, null]],
  ['null after a counter reset', counted(600, 50), counted(100, 60), 5, [null, 2]],
  ['null for two readings at the same time', counted(1, 1), counted(2, 2), 0, [null, null]],
  ['null for a missing reading', counted(null, 1), counted(5, null), 5, [null, null]]
] as const)('a rate is %s', (_name, before, after, seconds, [received, sent]) =>
  expect(ratesBetween(before, after, seconds)).toEqual({ receivedPerSecond: received, sentPerSecond: sent })
)
