import { expect, test } from 'vitest'
import { firstHourOf, lastDays, splitByHour, unknownSeconds, uptimeOf, worstOf } from './uptime-figures.policy.ts'

const at = (iso: string) => new Date(iso)

test.each([
  [0, 0, null],
  [60, 0, 100],
  [0, 60, 0],
  [2, 1, 66.66],
  // Never rounded up to what was not so.
  [90 * 86_400 - 1, 1, 99.99],
  [999, 1, 99.9]
])('%d s up and %d s down are %s percent', (upSeconds, downSeconds, expected) => {
  expect(uptimeOf({ upSeconds, downSeconds })).toBe(expected)
})

test.each([
  ['within an hour', '2026-11-23T12:10:00Z', 300, [['12', 300]]],
  [
    'over its beginning',
    '2026-11-23T12:01:00Z',
    300,
    [
      ['12', 60],
      ['11', 240]
    ]
  ],
  ['on the hour', '2026-11-23T12:00:00Z', 300, [['11', 300]]],
  [
    'over two',
    '2026-11-23T12:30:00Z',
    6_000,
    [
      ['12', 1_800],
      ['11', 3_600],
      ['10', 600]
    ]
  ],
  [
    'over midnight in UTC',
    '2026-11-23T00:00:30Z',
    60,
    [
      ['00', 30],
      ['23', 30]
    ]
  ],
  [
    'in the night of summer time',
    '2026-10-25T01:10:00Z',
    1_200,
    [
      ['01', 600],
      ['00', 600]
    ]
  ]
] as const)('%s', (_what, end, seconds, expected) => {
  const parts = splitByHour(at(end), seconds)
  expect(parts.map(({ hour, seconds }) => [hour.toISOString().slice(11, 13), seconds])).toEqual(expected)
})

test('no hour has more than its seconds, however the runs come', () => {
  const hours = new Map<number, number>()
  let time = at('2026-11-23T00:00:00Z').getTime()
  for (let run = 0; run < 2_000; run++) {
    const seconds = 1 + ((run * 7_919) % 5_000)
    time += seconds * 1000
    for (const part of splitByHour(new Date(time), seconds))
      hours.set(part.hour.getTime(), (hours.get(part.hour.getTime()) ?? 0) + part.seconds)
  }
  expect(Math.max(...hours.values())).toBe(3_600)
})

test('days are those of UTC, in every season', () => {
  expect(lastDays(3, at('2026-03-29T01:30:00Z'))).toEqual(['2026-03-27', '2026-03-28', '2026-03-29'])
  expect(lastDays(2, at('2026-10-25T23:59:59Z'))).toEqual(['2026-10-24', '2026-10-25'])
  expect(lastDays(90, at('2028-03-01T00:00:00Z'))).toContain('2028-02-29')
  expect(firstHourOf('24h', at('2026-11-23T12:30:00Z'))).toEqual(at('2026-11-22T13:00:00Z'))
})

test('what is neither up nor down is unknown, since the check was made', () => {
  const sums = { upSeconds: 1_000, downSeconds: 200 }
  const [from, now] = [at('2026-11-22T12:00:00Z'), at('2026-11-23T12:00:00Z')]
  expect(unknownSeconds(sums, { from, createdAt: at('2026-01-01T00:00:00Z'), now })).toBe(86_400 - 1_200)
  expect(unknownSeconds(sums, { from, createdAt: at('2026-11-23T11:00:00Z'), now })).toBe(3_600 - 1_200)
  expect(unknownSeconds(sums, { from, createdAt: now, now })).toBe(0)
})

test.each([
  [[], 'UNKNOWN'],
  [['UP', 'PAUSED'], 'UP'],
  [['UP', 'DOWN', 'UNKNOWN'], 'DOWN'],
  [['UP', 'UNKNOWN'], 'UNKNOWN'],
  [['PAUSED'], 'PAUSED']
] as const)('%s together are %s', (states, expected) => {
  expect(worstOf(states)).toBe(expected)
})
