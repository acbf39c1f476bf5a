import { expect, test } from 'vitest'
import { archiveNames } from './archive-name.ts'

test.each([
  ['a', ['a']],
  ['a/b/', ['a', 'b']],
  ['./', []],
  ['./a/./b', ['a', 'b']],
  ['...', ['...']],
  ['a\nb', ['a\nb']]
])('%j is %j', (path, names) => {
  expect(archiveNames(path)).toEqual(names)
})

test.each([
  '',
  '/',
  '/etc/passwd',
  '//a',
  '..',
  '../a',
  'a/..',
  'a/../../b',
  'a//b',
  'a\\b',
  '..\\a',
  'C:a',
  'c:/a',
  'a\0',
  'a\u{fffd}',
  'n'.repeat(256),
  'ä'.repeat(128),
  'd/'.repeat(513)
])('%j is refused', (path) => {
  expect(archiveNames(path)).toBeTypeOf('string')
})
