import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextSerial } from './serial.policy.ts'

const day = new Date('2026-03-01T12:00:00Z')

test.each<[string, number, Date, number]>([
  ['a new zone', 0, day, 2026030101],
  ['the first of a day', 2026022807, day, 2026030101],
  ['the next of the day', 2026030101, day, 2026030102],
  ['the last of the day', 2026030198, day, 2026030199],
  ['more than 99 in a day', 2026030199, day, 2026030200],
  ['still going on the next day', 2026030250, new Date('2026-03-02T00:00:00Z'), 2026030251],
  ['back in step the day after', 2026030250, new Date('2026-03-03T00:00:00Z'), 2026030301],
  ['a clock that went back', 2026030105, new Date('2025-12-31T00:00:00Z'), 2026030106],
  ['the day in UTC', 0, new Date('2026-03-01T23:59:59.999-12:00'), 2026030201],
  ['a serial from elsewhere', 4_000_000_000, day, 4_000_000_001],
  ['the end: again from the date', 2 ** 32 - 1, day, 2026030101],
  ['the end, when dates count as smaller', 2 ** 32 - 1, new Date('2150-01-01T00:00:00Z'), 1],
  ['dates beyond 32 bits', 4294123199, new Date('4295-01-01T00:00:00Z'), 4294123200]
])('%s', (_what, previous, now, next) => expect(nextSerial(previous, now)).toBe(next))

test('always greater by RFC 1982 comparison, within 32 bits', () => {
  const now = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  const previous = fc.oneof(
    fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    fc.integer({ min: 2 ** 32 - 3, max: 2 ** 32 - 1 })
  )
  fc.assert(
    fc.property(previous, now, (previous, now) => {
      const next = nextSerial(previous, now)
      const distance = (next - previous + 2 ** 32) % 2 ** 32
      expect(Number.isInteger(next) && next > 0 && next < 2 ** 32).toBe(true)
      expect(distance > 0 && distance < 2 ** 31).toBe(true)
      if (previous < 2 ** 32 - 1) expect(next).toBeGreaterThan(previous)
    }),
    { numRuns: 5_000 }
  )
})
