import { expect, test } from 'vitest'
import { certificateStatuses } from '@panel/contract/certificates'
import { evaluateExpiry } from '../domains/certificate-expiry.policy.ts'
import { sourcesOf } from './certificate.machine.ts'

const now = new Date('2030-01-01T00:00:00.000Z')
const dayMs = 24 * 3600 * 1000
const inMs = (ms: number) => new Date(now.getTime() + ms)

test.each([
  ['ACTIVE', 90 * dayMs, 'ACTIVE'],
  ['ACTIVE', 7 * dayMs + 1, 'ACTIVE'],
  ['ACTIVE', 7 * dayMs, 'EXPIRING_SOON'],
  ['ACTIVE', 1, 'EXPIRING_SOON'],
  ['ACTIVE', 0, 'EXPIRED'],
  ['ACTIVE', -dayMs, 'EXPIRED'],
  ['EXPIRING_SOON', 7 * dayMs, 'EXPIRING_SOON'],
  ['EXPIRING_SOON', 1, 'EXPIRING_SOON'],
  ['EXPIRING_SOON', 0, 'EXPIRED'],
  ['EXPIRED', -1, 'EXPIRED'],
  // The clock was ahead.
  ['EXPIRED', 8 * dayMs, 'ACTIVE'],
  ['EXPIRING_SOON', 8 * dayMs, 'ACTIVE'],
  ['PENDING', -dayMs, 'PENDING'],
  ['ERROR', -dayMs, 'ERROR']
] as const)('%s with %i ms left is %s', (status, leftMs, expected) =>
  expect(evaluateExpiry(status, inMs(leftMs), now)).toBe(expected)
)

test('nothing changes without an expiry', () => {
  for (const status of certificateStatuses) expect(evaluateExpiry(status, null, now)).toBe(status)
})

test.each([
  ['PENDING', ['ACTIVE', 'EXPIRING_SOON', 'EXPIRED', 'ERROR']],
  ['ERROR', ['PENDING']],
  ['ACTIVE', [...certificateStatuses]]
] as const)('%s comes from %j', (target, sources) => expect(sourcesOf(target).sort()).toEqual([...sources].sort()))
