import { expect, test } from 'vitest'
import { firstEventAt, lateSince, nextCheck, nextUpdate } from './cron.policy.ts'

const at = (text: string) => new Date(`2026-03-01T${text}Z`)

test.each([
  ['a:2:{i:1767225600;a:1:{s:7:"x_event";a:0:{}}s:7:"version";i:2;}', '2026-01-01T00:00:00.000Z'],
  ['a:1:{s:7:"version";i:2;}', undefined],
  ['a:2:{i:-1;a:0:{}}', undefined],
  ['O:8:"stdClass":0:{}', undefined],
  ['', undefined],
  [undefined, undefined]
])('reads the first event of %j', (option, expected) => {
  expect(firstEventAt(option)?.toISOString()).toBe(expected)
})

test('an event is late after ten minutes', () => {
  expect(lateSince(at('11:50:00'), at('12:00:00'))).toBeNull()
  expect(lateSince(at('11:49:59'), at('12:00:00'))).toEqual(at('11:49:59'))
  expect(lateSince(undefined, at('12:00:00'))).toBeNull()
})

test('checks come once a minute and updates once a day, each at the time of the site', () => {
  for (const id of ['a', 'b', 'c']) {
    const first = nextCheck(id, at('12:00:00'))
    expect(first.getTime()).toBeGreaterThan(at('12:00:00').getTime())
    expect(nextCheck(id, first).getTime() - first.getTime()).toBe(60_000)
    const update = nextUpdate(id, at('12:00:00'))
    expect(update.getUTCHours()).toBeGreaterThanOrEqual(1)
    expect(update.getUTCHours()).toBeLessThan(5)
    expect(nextUpdate(id, update).getTime() - update.getTime()).toBe(24 * 3600_000)
  }
})
