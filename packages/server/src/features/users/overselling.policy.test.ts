import { expect, test } from 'vitest'
import { isOversold, isQuotaReached, type Limits, nominalSum, oversoldQuotas } from './overselling.policy.ts'

const limits = (maxProjects: number | null): Limits => ({
  maxProjects,
  maxDomains: 0,
  maxDatabases: 0,
  maxMailboxes: 0
})

test.each<[string, number | null, (number | null)[], number | null, string[]]>([
  ['below the limit', 10, [3, 3], 3, []],
  ['exactly the limit', 10, [3, 3], 4, []],
  ['above the limit', 10, [3, 3], 5, ['maxProjects']],
  ['the target unlimited', 10, [3], null, ['maxProjects']],
  ['a sibling unlimited', 10, [null], 1, ['maxProjects']],
  ['the reseller unlimited', null, [null, 100], null, []],
  ['no siblings', 0, [], 0, []],
  ['nothing to give', 0, [], 1, ['maxProjects']]
])('overselling off: %s', (_name, reseller, siblings, target, oversold) => {
  const own = { maxProjects: reseller, maxDomains: null, maxDatabases: null, maxMailboxes: null }
  expect(oversoldQuotas(own, siblings.map(limits), limits(target))).toEqual(oversold)
})

test('the nominal sum is unlimited when one account is', () => {
  expect(nominalSum([limits(1), limits(2)], 'maxProjects')).toBe(3)
  expect(nominalSum([limits(1), limits(null)], 'maxProjects')).toBeNull()
  expect(nominalSum([], 'maxProjects')).toBe(0)
})

test.each([
  [10, 10, false],
  [10, 11, true],
  [10, null, true],
  [null, null, false],
  [null, 99, false]
])('limit %s with the sum %s is oversold: %s', (limit, sum, expected) => expect(isOversold(limit, sum)).toBe(expected))

test.each([
  ['own quota free', { limit: 2, used: 1 }, false],
  ['own quota reached', { limit: 2, used: 2 }, true],
  ['above after a quota was lowered', { limit: 1, used: 5 }, true],
  ['unlimited', { limit: null, used: 999 }, false],
  ['pool reached', { limit: null, used: 0, pool: { limit: 5, used: 5, oversellingEnabled: true } }, true],
  ['pool free', { limit: null, used: 0, pool: { limit: 5, used: 4, oversellingEnabled: true } }, false],
  [
    'pool reached, own quota counts too',
    { limit: 1, used: 1, pool: { limit: 5, used: 0, oversellingEnabled: true } },
    true
  ],
  [
    'pool without overselling is the nominal sum’s business',
    { limit: 3, used: 0, pool: { limit: 5, used: 9, oversellingEnabled: false } },
    false
  ]
])('creation: %s', (_name, facts, reached) => expect(isQuotaReached(facts)).toBe(reached))
