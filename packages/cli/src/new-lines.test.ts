import { expect, test } from 'vitest'
import { newLines } from './new-lines.ts'

test.each([
  ['nothing before', '', 'a\nb\n', 'a\nb\n'],
  ['nothing new', 'a\nb\n', 'a\nb\n', ''],
  ['more at the end', 'a\nb\n', 'a\nb\nc\n', 'c\n'],
  ['a window that has moved on', 'a\nb\nc\n', 'b\nc\nd\ne\n', 'd\ne\n'],
  ['a first look that was shorter', 'c\n', 'a\nb\nc\n', ''],
  ['lines that repeat', 'x\nx\n', 'x\nx\nx\n', ''],
  ['the same line at the end of both, with others before', 'a\nok\n', 'a\nok\nb\nok\n', 'b\nok\n'],
  ['another container', 'a\nb\n', 'start\n', 'start\n'],
  ['all gone', 'a\n', '', ''],
  ['a last line without an end', 'a', 'a\nb', 'b\n']
])('%s', (_name, before, now, added) => {
  expect(newLines(before, now)).toBe(added)
})
