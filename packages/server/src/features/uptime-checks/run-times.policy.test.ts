import { expect, test } from 'vitest'
import { isOutdated, nextRunAfter, soonAfter, timeBefore } from './run-times.policy.ts'

const now = new Date('2026-11-23T12:00:00Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('the runs of many are spread over the interval, and one keeps its place', () => {
  const minutes = new Map<number, number>()
  for (let index = 0; index < 6_000; index++) {
    const check = { id: `check-${index}`, intervalMinutes: 60 }
    const first = nextRunAfter(check, now)
    const passed = (first.getTime() - now.getTime()) / 60_000
    expect(passed).toBeGreaterThanOrEqual(30)
    expect(passed).toBeLessThanOrEqual(90)
    expect(nextRunAfter(check, first).getTime() - first.getTime()).toBe(3_600_000)
    const minute = first.getUTCMinutes()
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
  }
  expect(minutes.size).toBe(60)
  expect(Math.max(...minutes.values())).toBeLessThan(200)
})

test('a check in doubt runs after half a minute, or when it is due before', () => {
  for (const intervalMinutes of [1, 5, 60])
    expect(soonAfter({ id: 'check', intervalMinutes }, now).getTime() - now.getTime()).toBeLessThanOrEqual(30_000 + 1)
})

test.each([
  ['the first run', null, 1, false],
  ['one in time', 300, 300, false],
  ['one that was asked for between', 20, 20, false],
  ['a late one', 400, 400, false],
  ['one after an hour of nothing', 3_600, 300, true],
  ['a clock that was set forward by a day', 86_400, 300, true],
  ['a clock that was set back by a day', -86_400, 1, true],
  ['two at once', 0, 1, false]
])('%s speaks for %s → %d s', (_what, passed, seconds, isAfterGap) => {
  expect(timeBefore(5, passed === null ? null : after(-passed), now)).toEqual({ seconds, isAfterGap })
})

test.each([
  [null, true],
  [0, false],
  [15 * 60, false],
  [17 * 60, true],
  [-86_400, true]
])('told %s seconds ago, stale: %s', (passed, expected) => {
  expect(isOutdated(5, passed === null ? null : after(-passed), now)).toBe(expected)
})
