import { expect, test } from 'vitest'
import { staysInside } from './link-target.ts'

test.each([
  ['a/b', 'c', true],
  ['a/b', '../c', true],
  ['a/b', '../../c', false],
  ['a', '..', false],
  ['a', '/etc', false],
  ['a/b', './c/./d', true],
  ['a/b', 'c/../d', false],
  ['a', '', true]
])('the link %s to %j stays inside: %s', (path, target, expected) => {
  expect(staysInside(path, target)).toBe(expected)
})
