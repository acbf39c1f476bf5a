import { expect, test } from 'vitest'
import { nearQuotas } from './near-quota.policy.ts'

test.each<[string, boolean, number, number | null, boolean, boolean]>([
  // what, was near, used, limit, is near, is news
  ['well below', false, 5, 10, false, false],
  ['just below', false, 89, 100, false, false],
  ['at the line', false, 90, 100, true, true],
  ['above it, told of before', true, 95, 100, true, false],
  ['back below the line, but not far', true, 85, 100, true, false],
  ['far below again', true, 79, 100, false, false],
  ['the last of few', false, 3, 3, true, true],
  ['one of few left', false, 2, 3, false, false],
  ['all of one', false, 1, 1, true, true],
  ['more than all', false, 12, 10, true, true],
  ['no limit', false, 1000, null, false, false],
  ['no limit any more', true, 1000, null, false, false],
  ['none allowed', false, 0, 0, false, false]
])('%s', (_what, wasNear, used, limit, isNear, isNews) => {
  const { near, crossed } = nearQuotas(wasNear ? ['maxProjects'] : [], [{ quota: 'maxProjects', used, limit }])
  expect(near).toEqual(isNear ? ['maxProjects'] : [])
  expect(crossed.length).toBe(isNews ? 1 : 0)
})
