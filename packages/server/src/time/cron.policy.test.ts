import { describe, expect, test } from 'vitest'
import { latestMatch, parseCron } from './cron.policy.ts'

const latest = (line: string, now: string, timezone = 'UTC') =>
  latestMatch(parseCron(line, timezone), new Date(now))?.toISOString()

describe('the latest minute of a cron line', () => {
  test.each([
    ['* * * * *', '2026-03-01T10:20:30Z', '2026-03-01T10:20:00.000Z'],
    ['*/10 * * * *', '2026-03-01T10:29:59Z', '2026-03-01T10:20:00.000Z'],
    ['*/10 * * * *', '2026-03-01T10:30:00Z', '2026-03-01T10:30:00.000Z'],
    ['5 * * * *', '2026-03-01T10:04:59Z', '2026-03-01T09:05:00.000Z'],
    ['30 3 * * *', '2026-03-01T03:29:00Z', '2026-02-28T03:30:00.000Z'],
    ['0 9-17/4 * * *', '2026-03-01T16:00:00Z', '2026-03-01T13:00:00.000Z'],
    ['0,30 1,2 * * *', '2026-03-01T02:10:00Z', '2026-03-01T02:00:00.000Z'],
    ['10-59/20 * * * *', '2026-03-01T02:49:00Z', '2026-03-01T02:30:00.000Z'],
    // A Sunday, as 0 and as 7.
    ['0 0 * * 0', '2026-03-03T00:00:00Z', '2026-03-01T00:00:00.000Z'],
    ['0 0 * * 7', '2026-03-03T00:00:00Z', '2026-03-01T00:00:00.000Z'],
    ['0 0 * * 1-5', '2026-03-01T12:00:00Z', '2026-02-27T00:00:00.000Z'],
    // Either field matches if both are restricted; both must match if one is a star.
    ['0 0 15 * 1', '2026-03-17T00:00:00Z', '2026-03-16T00:00:00.000Z'],
    ['0 0 15 * *', '2026-03-17T00:00:00Z', '2026-03-15T00:00:00.000Z'],
    ['0 0 1 1 *', '2026-12-31T23:59:00Z', '2026-01-01T00:00:00.000Z'],
    ['0 0 29 2 *', '2027-06-01T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0 0 31 2 *', '2027-06-01T00:00:00Z', undefined]
  ])('%s at %s is %s', (line, now, expected) => expect(latest(line, now)).toBe(expected))
})

test.each(['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8'])(
  'a line that is none is refused: "%s"',
  (line) => expect(() => parseCron(line, 'UTC')).toThrow()
)
test.each([
  'a * * * *',
  '10/20 * * * *',
  'L * * * *',
  '* * * * MON',
  '5-1 * * * *',
  '*/0 * * * *',
  '1.5 * * * *',
  '-1 * * * *',
  '1, * * * *',
  '@daily'
])('rejects "%s"', (line) => expect(() => parseCron(line, 'UTC')).toThrow())

describe('in a time zone', () => {
  const berlin = 'Europe/Berlin'
  test.each([
    ['30 2 * * *', 'Asia/Kolkata', '2026-06-01T20:59:59Z', '2026-05-31T21:00:00.000Z'],
    ['30 2 * * *', 'Asia/Kolkata', '2026-06-01T21:00:00Z', '2026-06-01T21:00:00.000Z'],
    ['0 0 * * 1', 'Pacific/Kiritimati', '2026-06-01T00:00:00Z', '2026-05-31T10:00:00.000Z'],
    // In Berlin the clock skips from 2:00 to 3:00 on 2026-03-29 (1:00 UTC).
    ['30 2 * * *', berlin, '2026-03-28T12:00:00Z', '2026-03-28T01:30:00.000Z'],
    ['30 2 * * *', berlin, '2026-03-29T00:59:59Z', '2026-03-28T01:30:00.000Z'],
    ['30 2 * * *', berlin, '2026-03-29T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['30 2 * * *', berlin, '2026-03-30T12:00:00Z', '2026-03-30T00:30:00.000Z'],
    // It goes back from 3:00 to 2:00 on 2026-10-25 (1:00 UTC): 2:30 occurs at 0:30 and 1:30 UTC.
    ['30 2 * * *', berlin, '2026-10-25T00:45:00Z', '2026-10-25T00:30:00.000Z'],
    ['30 2 * * *', berlin, '2026-10-25T01:45:00Z', '2026-10-25T00:30:00.000Z'],
    ['30 2 * * *', berlin, '2026-10-26T02:00:00Z', '2026-10-26T01:30:00.000Z'],
    ['*/30 * * * *', berlin, '2026-10-25T00:59:00Z', '2026-10-25T00:30:00.000Z'],
    ['*/30 * * * *', berlin, '2026-10-25T01:10:00Z', '2026-10-25T01:00:00.000Z'],
    ['*/30 * * * *', berlin, '2026-10-25T01:40:00Z', '2026-10-25T01:30:00.000Z'],
    // A DST change of half an hour.
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-04T12:00:00Z', '2026-10-03T15:30:00.000Z']
  ])('%s in %s at %s is %s', (line, zone, now, expected) => expect(latest(line, now, zone)).toBe(expected))

  test('runs exactly once on each day of a year', () => {
    for (const zone of [berlin, 'America/Santiago', 'Australia/Lord_Howe'])
      for (const line of ['30 2 * * *', '0 0 * * *']) {
        const cron = parseCron(line, zone)
        const runs = new Set<number>()
        for (let at = Date.UTC(2026, 0, 2); at < Date.UTC(2027, 0, 2); at += 3_600_000)
          runs.add(latestMatch(cron, new Date(at))!.getTime())
        const days = [...runs].map((run) => new Date(run).toLocaleDateString('en', { timeZone: zone }))
        expect(new Set(days).size, `${line} ${zone}`).toBe(days.length)
        expect(days.length, `${line} ${zone}`).toBeGreaterThanOrEqual(365)
      }
  })
})
