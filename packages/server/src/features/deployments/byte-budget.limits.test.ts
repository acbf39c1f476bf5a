import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.limits.ts'

test('gives out no more than there is, and takes back once', () => {
  const budget = createByteBudget(10)
  const release = budget.take(7)
  expect(budget.take(4)).toBeUndefined()
  expect(budget.take(3)).toBeDefined()
  release?.()
  release?.()
  expect(budget.take(8)).toBeUndefined()
  expect(budget.take(7)).toBeDefined()
})
