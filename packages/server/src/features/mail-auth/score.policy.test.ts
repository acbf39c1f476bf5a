import { type AuthCheck, type AuthCheckName, authCheckNames, type AuthChecks } from '@panel/contract/mail-auth'
import { expect, test } from 'vitest'
import { gradeOf, scoreOf } from './score.policy.ts'

const checksWith = (...passing: AuthCheckName[]) =>
  Object.fromEntries(
    authCheckNames.map((name): [string, AuthCheck] => [
      name,
      { status: passing.includes(name) ? 'pass' : 'fail', detail: '', sentences: [] }
    ])
  ) as AuthChecks

test.each<[AuthCheckName[], number, string]>([
  [[], 0, 'Poor'],
  [['spf'], 25, 'Poor'],
  [['mx'], 25, 'Poor'],
  [['dkim', 'dmarc'], 50, 'Needs Improvement'],
  [['spf', 'dkim', 'mx'], 75, 'Good'],
  [['dkim', 'dmarc', 'mx'], 75, 'Good'],
  [['spf', 'dkim', 'dmarc', 'mx'], 100, 'Excellent']
])('with %j: %i, %s', (passing, score, grade) => {
  expect(scoreOf(checksWith(...passing))).toBe(score)
  expect(gradeOf(score)).toBe(grade)
})

test.each([
  [99, 'Good'],
  [74, 'Needs Improvement'],
  [49, 'Poor']
])('%i is %s', (score, grade) => expect(gradeOf(score)).toBe(grade))
