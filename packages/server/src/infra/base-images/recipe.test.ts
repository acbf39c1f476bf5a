import { expect, test } from 'vitest'
import { isoWeek, recipeKey, recipeOf } from './recipe.ts'

test.each([
  ['2026-01-01', '2026-W01'],
  ['2025-12-29', '2026-W01'],
  ['2025-12-28', '2025-W52'],
  ['2027-01-03', '2026-W53'],
  ['2027-01-04', '2027-W01']
])('%s is in week %s', (day, week) => {
  expect(isoWeek(new Date(`${day}T12:00:00Z`))).toBe(week)
})

test('the key depends on the recipe and the week', () => {
  const monday = new Date('2026-11-16T00:00:00Z')
  const keyOf = (version: string, at: Date) => recipeKey(recipeOf({ kind: 'node', version })!, at)
  const key = keyOf('24', monday)
  expect(keyOf('24', new Date('2026-11-22T23:59:59Z'))).toBe(key)
  expect(keyOf('22', monday)).not.toBe(key)
  expect(keyOf('24', new Date('2026-11-23T00:00:00Z'))).not.toBe(key)
})
