import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.limits.ts'

const limits = { total: 10, perKey: 6, reserve: 3, firstBytes: 2 }
const budgetOf = () => {
  const budget = createByteBudget(limits)
  return (keys: string[], isHeld = true) => budget.open(keys, { isHeld })
}

test('counts bytes as they arrive and releases them once', () => {
  const body = budgetOf()
  const [first, second] = [body(['a']), body(['b'])]
  expect([first.take(2), first.take(2), first.take(2)]).toEqual([true, true, true])
  expect(second.take(5)).toBe(false)
  first.release()
  first.release()
  expect(second.take(5)).toBe(true)
  expect(body(['c']).take(2)).toBe(true)
})

test('each key has its own limit, whichever other key is passed', () => {
  const body = budgetOf()
  expect(body(['address', 'project']).take(2)).toBe(true)
  expect(body(['address', 'other']).take(5)).toBe(false)
  expect(body(['elsewhere', 'project']).take(5)).toBe(false)
  expect(body(['elsewhere', 'other']).take(5)).toBe(true)
})

test('large bodies leave the reserve to the first bytes of others', () => {
  const body = budgetOf()
  expect([body(['a']).take(6), body(['b']).take(3)]).toEqual([true, false])
  expect([body(['b']).take(2), body(['c']).take(2), body(['d']).take(2)]).toEqual([true, true, false])
})

test('a discarded body gets the same answers and reserves no bytes', () => {
  const body = budgetOf()
  const thrown = body(['a'], false)
  expect([thrown.take(2), thrown.take(4), thrown.take(1)]).toEqual([true, true, false])
  expect(body(['a']).take(6)).toBe(true)
  expect(body(['a'], false).take(1)).toBe(false)
  thrown.release()
  expect(body(['b']).take(1)).toBe(true)
})
