import { describe, expect, test } from 'vitest'
import { latestMatch, parseCron } from './cron.policy.ts'

const latest = (line: string, now: string) => latestMatch(parseCron(line), new Date(now))?.toISOString()

describe('the newest minute of a cron line', () => {
  test.each([
    ['* * * * *', '2026-03-01T10:20:30Z', '2026-03-01T10:20:00.000Z'],
    ['*/10 * * * *', '2026-03-01T10:29:59Z', '2026-03-01T10:20:00.000Z'],
    ['*/10 * * * *', '2026-03-01T10:30:00Z', '2026-03-01T10:30:00.000Z'],
    ['5 * * * *', '2026-03-01T10:04:59Z', '2026-03-01T09:05:00.000Z'],
    ['30 3 * * *', '2026-03-01T03:29:00Z', '2026-02-28T03:30:00.000Z'],
    ['0 9-17/4 * * *', '2026-03-01T16:00:00Z', '2026-03-01T13:00:00.000Z'],
    ['0,30 1,2 * * *', '2026-03-01T02:10:00Z', '2026-03-01T02:00:00.000Z'],
    ['10/20 * * * *', '2026-03-01T02:49:00Z', '2026-03-01T02:30:00.000Z'],
    // A Sunday, by both of its numbers.
    ['0 0 * * 0', '2026-03-03T00:00:00Z', '2026-03-01T00:00:00.000Z'],
    ['0 0 * * 7', '2026-03-03T00:00:00Z', '2026-03-01T00:00:00.000Z'],
    ['0 0 * * 1-5', '2026-03-01T12:00:00Z', '2026-02-27T00:00:00.000Z'],
    // Either day when both are restricted, both when one is a star.
    ['0 0 15 * 1', '2026-03-17T00:00:00Z', '2026-03-16T00:00:00.000Z'],
    ['0 0 15 * *', '2026-03-17T00:00:00Z', '2026-03-15T00:00:00.000Z'],
    ['0 0 1 1 *', '2026-12-31T23:59:00Z', '2026-01-01T00:00:00.000Z'],
    ['0 0 29 2 *', '2027-06-01T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0 0 31 2 *', '2027-06-01T00:00:00Z', undefined]
  ])('%s at %s is %s', (line, now, expected) => expect(latest(line, now)).toBe(expected))
})

test.each(['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8'])(
  'a line that is none is refused: "%s"',
  (line) => expect(() => parseCron(line)).toThrow()
)
test.each(['a * * * *', '5-1 * * * *', '*/0 * * * *', '1.5 * * * *', '-1 * * * *', '1, * * * *', '@daily'])(
  'what is no number, range or step is refused: "%s"',
  (line) => expect(() => parseCron(line)).toThrow()
)
