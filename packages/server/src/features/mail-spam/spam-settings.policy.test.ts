import { expect, test } from 'vitest'
import { changedRules, defaultRules, rulesProblem } from './spam-settings.policy.ts'

test('omitted members are unchanged', () => {
  const rules = { ...defaultRules, allow: ['example.com'] }
  expect(changedRules(rules, {})).toEqual(rules)
  expect(changedRules(rules, { enabled: false, deny: ['a.example'] })).toEqual({
    ...rules,
    isEnabled: false,
    deny: ['a.example']
  })
  expect(changedRules(rules, { allow: [], junkScore: 1, refuseScore: 2, greylisting: false })).toEqual({
    ...defaultRules,
    junkScore: 1,
    refuseScore: 2,
    isGreylisting: false
  })
})

test.each([
  [{}, undefined],
  [{ junkScore: 15 }, undefined],
  [{ junkScore: 15.1 }, /junkScore \(15.1\) must not be above/],
  [{ refuseScore: 5 }, /must not be above refuseScore \(5\)/],
  [{ allow: ['a.example'], deny: ['b.example', 'a.example'] }, /a.example cannot be both/],
  [{ allow: ['ann@a.example'], deny: ['a.example'] }, undefined]
])('%j: %s', (change, problem) => {
  const found = rulesProblem(changedRules(defaultRules, change))
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(problem)
})
