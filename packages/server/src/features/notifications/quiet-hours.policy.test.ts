import { expect, test } from 'vitest'
import { quietUntil } from './quiet-hours.policy.ts'

const night = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' }

test.each([
  ['by day', '2026-06-01T12:00:00Z', night, undefined],
  ['in the evening', '2026-06-01T20:00:00Z', night, '2026-06-02T05:00:00.000Z'],
  ['in the morning, with seconds', '2026-06-02T04:59:59Z', night, '2026-06-02T05:00:00.000Z'],
  ['at the end', '2026-06-02T05:00:00Z', night, undefined],
  ['when the clock goes forward', '2026-03-28T23:00:00Z', night, '2026-03-29T05:00:00.000Z'],
  ['when it goes back', '2026-10-24T22:00:00Z', night, '2026-10-25T06:00:00.000Z'],
  ['an end that the clock leaps over', '2026-03-29T00:30:00Z', { ...night, to: '02:30' }, '2026-03-29T01:00:00.000Z'],
  [
    'within a day',
    '2026-06-01T10:30:00Z',
    { from: '12:00', to: '13:00', timezone: 'Europe/Berlin' },
    '2026-06-01T11:00:00.000Z'
  ],
  ['no hours', '2026-06-01T10:00:00Z', { from: '12:00', to: '12:00', timezone: 'Europe/Berlin' }, undefined],
  ['half an hour off', '2026-06-01T17:00:00Z', { ...night, timezone: 'Asia/Kolkata' }, '2026-06-02T01:30:00.000Z']
])('%s', (_name, now, hours, until) => expect(quietUntil(new Date(now), hours)?.toISOString()).toBe(until))
