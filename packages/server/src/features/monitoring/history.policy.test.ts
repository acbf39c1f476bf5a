import { metricRanges } from '@panel/contract/monitoring'
import { expect, test } from 'vitest'
import { minuteOf, windowOf } from './history.policy.ts'

const now = new Date('2026-03-29T01:23:45.678Z')

test.each(metricRanges)('%s has at most 1,500 points and starts at a full point', (range) => {
  const { after, until, minutes } = windowOf(range, now)
  const points = (until.getTime() - after.getTime()) / (minutes * 60_000)
  expect(points).toBeLessThanOrEqual(1_500)
  expect(points).toBeGreaterThan(50)
  expect((after.getTime() + 1) % (minutes * 60_000)).toBe(0)
})

test('minutes are aligned to the clock', () => expect(minuteOf(now).toISOString()).toBe('2026-03-29T01:23:00.000Z'))
