import { expect, test } from 'vitest'
import { timeAtWall, wallTimeIn } from './zoned-time.ts'

test.each([
  ['UTC', '2026-11-24T10:15', '2026-11-24T10:15:00.000Z'],
  ['Europe/Berlin', '2026-01-10T00:05', '2026-01-09T23:05:00.000Z'],
  ['Europe/Berlin', '2026-07-10T12:00', '2026-07-10T10:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-24T10:15', '2026-11-23T20:15:00.000Z'],
  ['America/St_Johns', '2026-11-24T10:15', '2026-11-24T13:45:00.000Z'],
  ['Asia/Kathmandu', '2026-02-28T23:59', '2026-02-28T18:14:00.000Z']
])('in %s the wall-clock time is %s at %s', (zone, wall, time) => {
  expect(timeAtWall(zone, wall).toISOString()).toBe(time)
  expect(wallTimeIn(zone, new Date(time))).toBe(wall)
})

test('minutes around a clock change round-trip', () => {
  for (const from of ['2026-03-28T23:00:00Z', '2026-10-24T23:00:00Z'])
    for (let minute = 0; minute < 240; minute += 5) {
      const wall = wallTimeIn('Europe/Berlin', new Date(Date.parse(from) + minute * 60_000))
      expect(wallTimeIn('Europe/Berlin', timeAtWall('Europe/Berlin', wall))).toBe(wall)
    }
})

test('a skipped hour maps to an hour later', () => {
  expect(timeAtWall('Europe/Berlin', '2026-03-29T02:30').toISOString()).toBe('2026-03-29T01:30:00.000Z')
})
