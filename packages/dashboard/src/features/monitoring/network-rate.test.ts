import { expect, test } from 'vitest'
import { ratesBetween } from './network-rate.ts'

const counted = (networkReceived: number | null, networkSent: number | null) => ({ networkReceived, networkSent })

test.each([
  ['what went through, by the second', counted(100, 50), counted(600, 50), 5, [100, 0]],
  ['unknown without a reading before', undefined, counted(600, 50), 5, [null, null]],
  ['unknown where counters began anew', counted(600, 50), counted(100, 60), 5, [null, 2]],
  ['unknown at the same moment', counted(1, 1), counted(2, 2), 0, [null, null]],
  ['unknown where nothing is read', counted(null, 1), counted(5, null), 5, [null, null]]
] as const)('a rate is %s', (_name, before, after, seconds, [received, sent]) =>
  expect(ratesBetween(before, after, seconds)).toEqual({ receivedPerSecond: received, sentPerSecond: sent })
)
