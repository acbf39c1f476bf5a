import { expect, test } from 'vitest'
import { lastLines, matchingLines, newLines, timeIn } from './log-lines.ts'

test.each([
  ['nothing before', '', 'a\nb\n', 'a\nb\n'],
  ['nothing new', 'a\nb\n', 'a\nb\n', ''],
  ['more at the end', 'a\nb\n', 'a\nb\nc\n', 'c\n'],
  ['a window that has moved on', 'a\nb\nc\n', 'b\nc\nd\ne\n', 'd\ne\n'],
  ['an earlier look that went further back', 'a\nb\nc\nd\n', 'c\nd\ne\n', 'e\n'],
  ['lines that repeat', 'x\nx\n', 'x\nx\nx\n', 'x\n'],
  ['a program that starts again, and says so as before', 'ok\n', 'ok\nlast words\nok\n', 'last words\nok\n'],
  ['the same line at the end of both, with others before', 'a\nok\n', 'a\nok\nb\nok\n', 'b\nok\n'],
  ['another container', 'a\nb\n', 'start\n', 'start\n'],
  ['all gone', 'a\n', '', ''],
  ['a last line without an end', 'a', 'a\nb', 'b\n']
])('%s', (_name, before, now, added) => {
  expect(newLines(before, now)).toBe(added)
})

test('the last lines of a text, or fewer', () => {
  expect(lastLines('a\nb\nc', 2)).toBe('b\nc\n')
  expect(lastLines('a\n', 2)).toBe('a\n')
})

test('keeps the lines that contain a text in any case', () => {
  expect(matchingLines('One error\ntwo\nERROR three', 'error')).toBe('One error\nERROR three\n')
  expect(matchingLines('one\ntwo\n', '')).toBe('one\ntwo\n')
})

test.each([
  ['90s', '2026-01-31T11:58:30.000Z'],
  ['10m', '2026-01-31T11:50:00.000Z'],
  ['2h', '2026-01-31T10:00:00.000Z'],
  ['3d', '2026-01-28T12:00:00.000Z'],
  ['2026-01-30T00:00:00Z', '2026-01-30T00:00:00.000Z'],
  ['yesterday', undefined]
])('since %s', (text, expected) => {
  expect(timeIn(text, Date.parse('2026-01-31T12:00:00Z'))?.toISOString()).toBe(expected)
})
