import { expect, test } from 'vitest'
import {
  addPacked,
  boundMs,
  histogramBoundsMs,
  histogramCounts,
  noTimes,
  packTimes,
  quantileMs,
  stepOf,
  timeSteps
} from './response-times.policy.ts'

const timesOf = (...values: number[]) => {
  const times = noTimes()
  for (const ms of values) times[stepOf(ms)]! += 1
  return times
}

test.each([
  [0, 0],
  [1, 0],
  [2, 4],
  [4, 8],
  [5, 10],
  [1024, 40],
  [1e12, timeSteps - 1]
])('%d ms is in bucket %d', (ms, step) => expect(stepOf(ms)).toBe(step))

test('every time is within its bucket, which is less than a fifth wide', () => {
  for (let ms = 2; ms < 100_000; ms = Math.ceil(ms * 1.07)) {
    expect(boundMs(stepOf(ms))).toBeGreaterThanOrEqual(ms - 1e-6)
    expect(boundMs(stepOf(ms))).toBeLessThan(ms * 1.19)
  }
})

test('quantiles of none, one and many', () => {
  expect(quantileMs(noTimes(), 0.5)).toBeNull()
  expect(quantileMs(timesOf(16), 0.5)).toBe(16)
  const times = timesOf(...Array.from({ length: 95 }, () => 4), ...Array.from({ length: 5 }, () => 1024))
  expect([quantileMs(times, 0.5), quantileMs(times, 0.95), quantileMs(times, 0.96)]).toEqual([4, 4, 1024])
})

test('packed histograms add up, and invalid values are clamped', () => {
  const times = timesOf(1, 1, 70, 5000)
  const sum = noTimes()
  addPacked(sum, packTimes(times))
  addPacked(sum, packTimes(times))
  expect(sum).toEqual(times.map((count) => count * 2))
  addPacked(sum, [-3, 1, 5000, 1, 7])
  expect(sum).toHaveLength(timeSteps)
})

test('the Prometheus histogram counts each response once', () => {
  expect(histogramCounts(packTimes(timesOf(...histogramBoundsMs, 100_000, 3)))).toEqual([2, 1, 1, 1, 1, 1, 1, 1, 1])
})
