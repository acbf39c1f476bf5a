import { describe, expect, test } from 'vitest'
import { hasCost, parsePasswordCost } from './password-hash.policy.ts'

describe('the cost of a password hash', () => {
  test.each([
    ['m=19456,t=2', { m: 19_456, t: 2 }],
    ['m=7168,t=5', { m: 7_168, t: 5 }],
    ['m=262144,t=1', { m: 262_144, t: 1 }]
  ])('%s', (text, cost) => expect(parsePasswordCost(text)).toEqual(cost))

  test.each([
    ['19456', /must have the form/],
    ['m=19456', /must have the form/],
    ['m=19456,t=2,p=4', /must have the form/],
    ['m=19456,t=1', /must be at least/],
    ['m=7167,t=20', /must be at least/],
    ['m=262145,t=2', /at most/],
    ['m=19456,t=21', /at most/]
  ])('%s is refused', (text, problem) => expect(() => parsePasswordCost(text)).toThrow(problem))

  test('can be read from the hash', () => {
    const hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA'
    expect(hasCost(hash, { m: 19_456, t: 2 })).toBe(true)
    expect(hasCost(hash, { m: 19_456, t: 3 })).toBe(false)
  })
})
