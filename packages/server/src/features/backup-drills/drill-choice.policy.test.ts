import { expect, test } from 'vitest'
import { chooseDrill, drillSlot } from './drill-choice.policy.ts'

const candidate = (projectId: string, day: number | null, backupId = projectId) => ({
  projectId,
  backupId,
  drilledAt: day === null ? null : new Date(Date.UTC(2026, 0, day))
})
const sampled = (candidates: Parameters<typeof chooseDrill>[0]) =>
  [...new Set([0, 0.2, 0.4, 0.6, 0.8, 0.99].map((random) => chooseDrill(candidates, () => random)?.backupId))].sort()

test.each([
  ['nothing without candidates', [], [undefined]],
  ['those without a drill first', [candidate('a', 1), candidate('b', null), candidate('c', null)], ['b', 'c']],
  [
    'then the third drilled longest ago',
    [3, 1, 5, 2, 6, 4].map((day) => candidate(`day${day}`, day)),
    ['day1', 'day2']
  ],
  ['the only one', [candidate('a', 1)], ['a']],
  ['any target of the project', [candidate('a', 1, 'x'), candidate('a', 1, 'y'), candidate('b', 9)], ['x', 'y']]
])('takes %s', (_name, candidates, expected) => {
  expect(sampled(candidates)).toEqual(expected)
})

// Wednesday.
const now = new Date('2026-11-25T12:00:00Z')
test.each([
  ['OFF', 3, undefined],
  ['WEEKLY', 3, '2026-11-22T06:20:00.000Z'],
  ['DAILY', 3, '2026-11-25T06:20:00.000Z'],
  ['DAILY', 22, '2026-11-25T01:20:00.000Z']
] as const)('%s with backups at %i:20 was due at %s', (drills, hour, expected) => {
  expect(drillSlot({ drills, hour, minute: 20 }, 'UTC', now)?.toISOString()).toBe(expected)
})
