import { describe, expect, test } from 'vitest'
import { defaultSchedule, isOverdue, latestSlot, startableTriggers } from './backup-schedule.policy.ts'

const at = (time: string) => new Date(time)
const slot = (values: Partial<typeof defaultSchedule>, now: string, timezone = 'UTC') =>
  latestSlot({ ...defaultSchedule, ...values }, timezone, at(now))?.toISOString()

describe('the latest time of the schedule', () => {
  test.each([
    ['every day', {}, '2026-06-10T12:00:00Z', 'UTC', '2026-06-10T03:20:00.000Z'],
    ['before today’s time', {}, '2026-06-10T03:19:00Z', 'UTC', '2026-06-09T03:20:00.000Z'],
    ['in the time zone of the server', {}, '2026-06-10T12:00:00Z', 'Europe/Berlin', '2026-06-10T01:20:00.000Z'],
    ['on some days', { weekdays: [1, 5] }, '2026-06-10T12:00:00Z', 'UTC', '2026-06-08T03:20:00.000Z'],
    // 02:30 does not exist on 29 March 2026 in Berlin.
    ['in the hour that a change of the clock skips', { hour: 2, minute: 30 }, '2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'], // oxfmt-ignore
    ['disabled', { isEnabled: false }, '2026-06-10T12:00:00Z', 'UTC', undefined]
  ])('%s', (_name, values, now, timezone, expected) => {
    expect(slot(values, now, timezone)).toBe(expected)
  })
})

test.each([
  ['none', null, null, '2026-06-10T12:00:00Z', true],
  ['within', 9, 17, '2026-06-10T07:00:00Z', true],
  ['before', 9, 17, '2026-06-10T06:59:59Z', false],
  ['at its end', 9, 17, '2026-06-10T15:00:00Z', false],
  ['over midnight, late', 22, 6, '2026-06-10T21:30:00Z', true],
  ['over midnight, early', 22, 6, '2026-06-10T03:59:59Z', true],
  ['over midnight, midnight itself', 22, 6, '2026-06-10T22:00:00Z', true],
  ['over midnight, at its end', 22, 6, '2026-06-10T04:00:00Z', false]
])('time window: %s', (_name, windowFromHour, windowUntilHour, now, mayStart) => {
  const triggers = startableTriggers({ windowFromHour, windowUntilHour }, 'Europe/Berlin', at(now))
  expect(triggers).toEqual(mayStart ? ['MANUAL', 'SCHEDULE'] : ['MANUAL'])
})

test.each([
  ['good since the latest slot', '2026-06-10T03:30:00Z', '2026-01-01T00:00:00Z', false],
  ['good before the slot of yesterday', '2026-06-08T03:30:00Z', '2026-01-01T00:00:00Z', true],
  ['never good', null, '2026-01-01T00:00:00Z', true],
  ['never good, but new', null, '2026-06-10T00:00:00Z', false]
])('overdue: %s', (_name, lastGood, since, expected) => {
  const target = { lastGoodAt: lastGood === null ? null : at(lastGood), since: at(since) }
  expect(isOverdue(defaultSchedule, 'UTC', at('2026-06-10T12:00:00Z'), target)).toBe(expected)
})
