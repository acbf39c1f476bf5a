import { expect, test } from 'vitest'
import { facts, printableLog, table } from './table.ts'

test('a table fits its values and escapes control characters', () => {
  expect(
    table(
      ['NAME', 'STATUS'],
      [
        ['shop', null],
        ['a\u001b[31mred\n', 'ACTIVE']
      ]
    )
  ).toBe('NAME        STATUS\nshop        -\na\ufffd[31mred   ACTIVE\n')
  expect(facts({ name: 'Ann', email: 'ann@example.com' })).toBe('name   Ann\nemail  ann@example.com\n')
})

test('a log keeps its lines and tabs', () => {
  expect(printableLog('a\tb\r\n\u001b]0;title\u0007c\n')).toBe('a\tb\n\ufffd]0;title\ufffdc\n')
})
