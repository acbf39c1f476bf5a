import { expect, test } from 'vitest'
import { sessionIn } from './terminal-session.policy.ts'

test.each([
  ['4242 (sh) S 4200 4242 4200 34816 4242 0', 4200],
  ['4242 (a) R (b) S 4200 4242 4201 34816 4242 0', 4201],
  ['4242 (sh) Z 4200 4242 4200 0 -1 0', undefined]
])('%s', (stat, session) => {
  expect(sessionIn(stat)).toBe(session)
})
