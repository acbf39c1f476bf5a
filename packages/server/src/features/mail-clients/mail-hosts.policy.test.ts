import { describe, expect, test } from 'vitest'
import { decideOrder, type HostCertificate, nextProbe } from './mail-hosts.policy.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const now = new Date('2026-06-01T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)

test.each([
  [0, minuteMs],
  [10 * minuteMs, 5 * minuteMs],
  [dayMs, dayMs / 2],
  [400 * dayMs, dayMs]
])('a host that was made %i ms ago is looked at again in %i', (ageMs, waitMs) =>
  expect(nextProbe(ago(ageMs), now).getTime() - now.getTime()).toBe(waitMs)
)

describe('the certificate of a host', () => {
  const served = { isServed: true, isUnderWay: false }
  const ordered = { isServed: false, isUnderWay: true }
  const failed = { isServed: false, isUnderWay: false }
  test.each<
    [
      string,
      HostCertificate | undefined,
      { isCovered: boolean; hasCapacity: boolean; isTarget: boolean },
      boolean,
      number | null
    ]
  >([
    [
      'is ordered as soon as the name leads here',
      undefined,
      { isCovered: false, hasCapacity: true, isTarget: true },
      true,
      dayMs
    ],
    ['is not before', undefined, { isCovered: false, hasCapacity: true, isTarget: false }, false, minuteMs],
    ['waits for room', undefined, { isCovered: false, hasCapacity: false, isTarget: true }, false, 60 * minuteMs],
    [
      'is needless beside that of a wildcard',
      undefined,
      { isCovered: true, hasCapacity: true, isTarget: true },
      false,
      dayMs
    ],
    ['is ordered once', ordered, { isCovered: false, hasCapacity: true, isTarget: true }, false, dayMs],
    [
      'is tried again a day after it was given up',
      failed,
      { isCovered: false, hasCapacity: true, isTarget: true },
      true,
      dayMs
    ],
    [
      'is left to renewals once it is served',
      served,
      { isCovered: false, hasCapacity: true, isTarget: true },
      false,
      null
    ]
  ])('%s', async (_, certificate, { isTarget, ...facts }, isOrdered, waitMs) => {
    const decision = await decideOrder(
      { ...facts, certificate, pointsHere: async () => isTarget },
      { createdAt: now, now }
    )
    const probeAt = waitMs === null ? null : new Date(now.getTime() + waitMs)
    expect(decision).toEqual({ isOrdered, probeAt })
  })
})
