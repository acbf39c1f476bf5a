import { describe, expect, test } from 'vitest'
import { isDueRenewal, nextTry, renewAt, retryAt } from './renewal.policy.ts'

const now = new Date('2030-01-01T00:00:00.000Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const after = (ms: number) => new Date(now.getTime() + ms)
const ids = Array.from({ length: 500 }, (_, index) => `certificate${index}`)

test.each([
  ['90 days', 90 * day],
  ['6 days', 6 * day],
  ['47 days', 47 * day]
])('%s: renews with a third left, or up to a tenth more', (_name, life) => {
  const times = ids.map((id) => renewAt({ validFrom: now, validTo: after(life), id }).getTime() - now.getTime())
  expect(Math.max(...times)).toBeLessThanOrEqual((life * 2) / 3)
  expect(Math.min(...times)).toBeGreaterThanOrEqual((life * 2) / 3 - life / 10)
})

test('spreads renewals of certificates issued together over a tenth of their lifetime', () => {
  const hours = ids.map((id) => Math.floor(renewAt({ validFrom: now, validTo: after(90 * day), id }).getTime() / hour))
  const inOne = (hourNumber: number) => hours.filter((each) => each === hourNumber).length
  expect(Math.max(...new Set(hours.map(inOne)))).toBeLessThan(15)
})

test('is deterministic per certificate', () => {
  const one = { validFrom: now, validTo: after(90 * day), id: 'a' }
  expect(renewAt(one)).toEqual(renewAt({ ...one }))
})

describe('isDueRenewal', () => {
  const served = { id: 'a', type: 'LETS_ENCRYPT', chain: 'PEM', validFrom: now, validTo: after(90 * day) } as const
  const begin = renewAt(served)
  test.each<[string, Partial<Parameters<typeof isDueRenewal>[0]>, Date, boolean]>([
    ['from its time on', {}, begin, true],
    ['after its end', {}, after(100 * day), true],
    ['not before', {}, new Date(begin.getTime() - 1), false],
    ['not without anything to serve', { chain: null, validFrom: null, validTo: null }, begin, false],
    ['not of what was uploaded', { type: 'CUSTOM' }, begin, false],
    ['not of what no authority gave', { type: 'SELF_SIGNED' }, begin, false]
  ])('%s', (_name, values, at, expected) => expect(isDueRenewal({ ...served, ...values }, at)).toBe(expected))
})

test('a negative lifetime ends at its expiry', () =>
  expect(renewAt({ validFrom: after(day), validTo: now, id: 'a' })).toEqual(now))

test.each([
  [1, 5 * minute],
  [2, hour],
  [3, 6 * hour],
  [4, day],
  [50, day],
  [0, 5 * minute]
])('backoff after %i failures is about %i ms', (failures, pause) => {
  const times = ids.map((id) => retryAt({ failures, now, id }).getTime() - now.getTime())
  expect(Math.max(...times)).toBeLessThanOrEqual(pause)
  expect(Math.min(...times)).toBeGreaterThanOrEqual(pause * 0.9)
  expect(new Set(times).size).toBeGreaterThan(400)
})

test.each([
  [1, 3600, hour],
  [1, 1, 4.5 * minute],
  [1, 2 * 86_400, 2 * day],
  [4, 3600, 0.9 * day],
  // Capped at a week.
  [1, 999_999_999, 7 * day]
])('after %i failures, honors Retry-After %i', (failures, retryAfterSeconds, atLeast) => {
  for (const id of ids) {
    const wait = retryAt({ failures, now, retryAfterSeconds, id }).getTime() - now.getTime()
    expect(wait).toBeGreaterThanOrEqual(atLeast)
    expect(wait).toBeLessThanOrEqual(Math.max(atLeast / 0.9, atLeast * 1.1) + 1)
  }
})

test.each([
  ['refused', 1, false, true],
  ['refused', 3, false, true],
  ['refused', 4, false, false],
  ['refused', 4, true, true],
  ['refused', 100, true, true],
  ['unavailable', 100, false, true],
  ['rate-limited', 100, false, true]
] as const)('%s for the %i. time, renewal %s: tried again %s', (kind, failures, isRenewal, isTried) =>
  expect(nextTry({ kind, failures, isRenewal, now, id: 'a' }) !== null).toBe(isTried)
)
