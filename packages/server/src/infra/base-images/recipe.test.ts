import { expect, test } from 'vitest'
import { isoWeek, recipeKey, recipes } from './recipe.ts'

test.each([
  ['2026-01-01', '2026-W01'],
  ['2025-12-29', '2026-W01'],
  ['2025-12-28', '2025-W52'],
  ['2027-01-03', '2026-W53'],
  ['2027-01-04', '2027-W01']
])('%s is in week %s', (day, week) => {
  expect(isoWeek(new Date(`${day}T12:00:00Z`))).toBe(week)
})

test('the key depends on recipe, week and, if included, Node.js', () => {
  const monday = new Date('2026-11-16T00:00:00Z')
  const sunday = new Date('2026-11-22T23:59:59Z')
  const key = recipeKey(recipes.python, 'v20', monday)
  expect(recipeKey(recipes.python, 'v20', sunday)).toBe(key)
  expect(recipeKey(recipes.python, 'v22', monday)).toBe(key)
  expect(recipeKey(recipes.php, 'v20', monday)).not.toBe(key)
  expect(recipeKey(recipes.python, 'v20', new Date('2026-11-23T00:00:00Z'))).not.toBe(key)
  expect(recipeKey(recipes.node, 'v20', monday)).not.toBe(recipeKey(recipes.node, 'v22', monday))
})
