import { expect, test } from 'vitest'
import { cleanCommitMessage, commitHashPattern } from './commit.ts'

test.each([
  ['a\r\nb\rc', 'a\nb\nc'],
  ['  a\tb\n\n', 'a b'],
  ['a\0\u001b[31m\u0085\u202eb', 'a[31mb'],
  ['x'.repeat(3000), 'x'.repeat(2000)],
  [`${'x'.repeat(1999)}😀`, `${'x'.repeat(1999)}\ufffd`]
])('%j', (text, expected) => {
  expect(cleanCommitMessage(text)).toBe(expected)
})

test.each([
  ['a'.repeat(40), true],
  ['a'.repeat(64), true],
  ['a'.repeat(41), false],
  ['A'.repeat(40), false],
  [`${'a'.repeat(40)}\n`, false]
])('the hash %j: %s', (text, isHash) => {
  expect(commitHashPattern.test(text)).toBe(isHash)
})
