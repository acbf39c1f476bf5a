import { expect, test } from 'vitest'
import { evaluateUsage, filesLimit, limitBytesOf } from './disk-usage.policy.ts'

const now = new Date('2026-01-01T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

test.each([
  ['no limit', { limit: null, total: 999, overSince: null, before: 1 }, 'fits'],
  ['exactly the limit', { limit: 100, total: 100, overSince: ago(999), before: 1 }, 'fits'],
  ['just above', { limit: 100, total: 101, overSince: null, before: 101 }, 'warn'],
  ['growing within the grace', { limit: 100, total: 120, overSince: ago(59), before: 110 }, 'over'],
  ['growing after it', { limit: 100, total: 120, overSince: ago(60), before: 110 }, 'halt'],
  ['unchanged after it', { limit: 100, total: 120, overSince: ago(60), before: 120 }, 'over'],
  ['shrinking after it', { limit: 100, total: 110, overSince: ago(60), before: 120 }, 'over'],
  ['no previous measurement', { limit: 100, total: 110, overSince: ago(60), before: undefined }, 'over']
] as const)('%s', (_name, facts, expected) => expect(evaluateUsage({ ...facts, now, graceSeconds: 60 })).toBe(expected))

test('the file quota is the limit minus all other usage', () => {
  expect(filesLimit(100, 60, 20)).toBe(60)
  expect(filesLimit(100, 160, 20)).toBe(0)
  expect(filesLimit(null, 160, 20)).toBeNull()
  expect([limitBytesOf(null), limitBytesOf(0), limitBytesOf(3)]).toEqual([null, 0, 3 * 2 ** 20])
})
