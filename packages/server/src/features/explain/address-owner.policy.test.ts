import { expect, test } from 'vitest'
import { addressOwner } from './address-owner.policy.ts'

const foreign = { isOwn: false, isPublic: true, isOwnKnown: true, result: undefined }

test.each([
  ['an address of this server', { ...foreign, isOwn: true, result: 'proof' as const }, 'here'],
  ['one of this server that does not respond', { ...foreign, isOwn: true, result: 'silent' as const }, 'unreachable'],
  ['one of a proxy in front that passes requests on', { ...foreign, result: 'proof' as const }, 'here'],
  ['one that serves something else', { ...foreign, isOwnKnown: false, result: 'other' as const }, 'elsewhere'],
  ['one that does not respond', { ...foreign, result: 'silent' as const }, 'elsewhere'],
  ['a foreign private one', { ...foreign, isPublic: false, isOwnKnown: false }, 'elsewhere'],
  ['a public one that was not probed', foreign, 'elsewhere'],
  ['a public one, where the own address is not known', { ...foreign, isOwnKnown: false }, 'unknown']
])('%s', (_what, facts, expected) => expect(addressOwner(facts)).toBe(expected))
