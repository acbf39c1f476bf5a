import { describe, expect, test } from 'vitest'
import { dueTime, isTooFarAhead, nextTime, planRun } from './schedule.policy.ts'

const berlin = (schedule: string) => ({ schedule, timezone: 'Europe/Berlin' })
const next = (schedule: string, after: string) => nextTime(berlin(schedule), new Date(after))?.toISOString()

describe('the next time', () => {
  test.each([
    ['30 2 * * *', '2026-03-01T00:00:00Z', '2026-03-01T01:30:00.000Z'],
    // 2:30 does not exist on 2026-03-29, and occurs twice on 2026-10-25.
    ['30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['30 2 * * *', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00.000Z'],
    ['30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    ['0 0 30 2 *', '2026-03-01T00:00:00Z', undefined]
  ])('%s after %s is %s', (schedule, after, expected) => expect(next(schedule, after)).toBe(expected))
})

test('of the times that passed, the latest is due', () => {
  const now = new Date('2026-03-01T10:07:00Z')
  expect(dueTime(berlin('*/5 * * * *'), now)).toEqual(new Date('2026-03-01T10:05:00Z'))
})

test.each([
  ['computed while the clock was a year ahead', '2027-03-01T10:00:00Z', true],
  ['computed an hour before a step back', '2026-03-01T11:00:00Z', false],
  ['as it should be', '2026-03-01T10:01:00Z', false]
])('a time %s', (_name, nextRunAt, expected) =>
  expect(
    isTooFarAhead({ ...berlin('* * * * *'), nextRunAt: new Date(nextRunAt) }, new Date('2026-03-01T10:00:30Z'))
  ).toBe(expected)
)

describe('while the previous run is open', () => {
  const running = { id: 'a', status: 'RUNNING' } as const
  const queued = { id: 'b', status: 'QUEUED' } as const
  test.each([
    ['SKIP', [], false, []],
    ['SKIP', [running], true, []],
    ['SKIP', [queued], true, []],
    ['QUEUE', [running], false, []],
    ['QUEUE', [running, queued], true, []],
    ['REPLACE', [running, queued], false, ['a', 'b']]
  ] as const)('%s with %j: skipped %s', (overlap, open, isSkipped, stop) =>
    expect(planRun(overlap, open)).toEqual({ isSkipped, stop })
  )
})
