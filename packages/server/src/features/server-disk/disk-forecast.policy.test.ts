import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forecastDisk } from './disk-forecast.policy.ts'

const start = Date.UTC(2026, 0, 1)
const day = 24 * 3600_000
const gigabyte = 2 ** 30

const history = (days: number, usedOn: (day: number) => number) =>
  Array.from({ length: Math.floor(days * 48) + 1 }, (_, i) => ({
    at: new Date(start + (i * day) / 48),
    usedBytes: usedOn(i / 48)
  }))

test('steady growth: what is left divided by the growth of a day', () => {
  const points = history(7, (each) => 10 * gigabyte + each * gigabyte)
  expect(forecastDisk(points, { usedBytes: 17 * gigabyte, capacityBytes: 20 * gigabyte })).toEqual({
    bytesPerDay: expect.closeTo(gigabyte, -3),
    daysUntilFull: expect.closeTo(3, 5),
    since: new Date(start).toISOString()
  })
})

test.each([
  ['no history', []],
  ['less than a day', history(0.9, (each) => each)],
  ['too few points', history(2, (each) => each).filter((_, i) => i % 24 === 0)]
])('%s: no forecast', (_name, points) => expect(forecastDisk(points, { usedBytes: 1, capacityBytes: 2 })).toBeNull())

test.each([
  ['falling usage', (each: number) => 100 - each],
  ['unchanged usage', () => 100],
  ['growth that takes more than ten years', (each: number) => 100 + each / 1000]
])('%s: not full in sight', (_name, usedOn) =>
  expect(forecastDisk(history(7, usedOn), { usedBytes: 100, capacityBytes: 1000 })?.daysUntilFull).toBeNull()
)

test('days until full: never negative, fewer with less room, and the daily rhythm of backups hardly matters', () => {
  const growths = fc.integer({ min: 1, max: 1000 })
  fc.assert(
    fc.property(growths, fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), (growth, a, b) => {
      const points = history(7, (each) => growth * each)
      const daysWith = (left: number) =>
        forecastDisk(points, { usedBytes: 0, capacityBytes: left })?.daysUntilFull ?? Infinity
      expect(daysWith(a)).toBeGreaterThanOrEqual(0)
      expect(daysWith(Math.min(a, b))).toBeLessThanOrEqual(daysWith(Math.max(a, b)))
      const rhythm = history(7, (each) => growth * each + (growth / 2) * Math.sin(2 * Math.PI * each))
      const { bytesPerDay } = forecastDisk(rhythm, { usedBytes: 0, capacityBytes: 1 })!
      expect(Math.abs(bytesPerDay - growth)).toBeLessThan(growth / 5)
    })
  )
})
