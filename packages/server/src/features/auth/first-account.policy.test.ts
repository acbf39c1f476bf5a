import { expect, test } from 'vitest'
import { mayMakeFirstAccount, setupTokenHash } from './first-account.policy.ts'

const issued = setupTokenHash('right')
test.each([
  ['where no link was issued', undefined, { token: undefined, isHere: false }, true],
  ['with the link', issued, { token: 'right', isHere: false }, true],
  ['without it', issued, { token: undefined, isHere: false }, false],
  ['with another', issued, { token: 'wrong', isHere: false }, false],
  ['with an empty one', issued, { token: '', isHere: false }, false],
  ['with what the store holds', issued, { token: issued, isHere: false }, false],
  ['from this machine', issued, { token: undefined, isHere: true }, true]
])('%s', (_, hash, request, expected) => expect(mayMakeFirstAccount(hash, request)).toBe(expected))
