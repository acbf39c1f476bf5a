import { expect, test } from 'vitest'
import { parseAnsi, withoutEscapes } from './ansi.ts'

const escape = '\u001b'

test('colors, weights and resets', () => {
  expect(parseAnsi(`${escape}[1;31mred${escape}[22m thin${escape}[0m plain`)).toEqual([
    { text: 'red', classes: ['f1', 'bold'] },
    { text: ' thin', classes: ['f1'] },
    { text: ' plain', classes: [] }
  ])
})

test.each([
  [`${escape}[38;5;196mx`, 'rgb(255 0 0)'],
  [`${escape}[38;5;244mx`, 'rgb(128 128 128)'],
  [`${escape}[38;2;1;2;3mx`, 'rgb(1 2 3)'],
  [`${escape}[38;2;999;;7mx`, 'rgb(255 0 7)']
])('%j is %s', (line, color) => expect(parseAnsi(line)).toEqual([{ text: 'x', classes: [], color }]))

// Sequences that could mislead the reader or control a terminal.
test.each([
  [`${escape}[2J${escape}[Hgone`, 'gone'],
  [`${escape}]0;title\u0007text`, 'text'],
  [`${escape}]8;;http://evil.example${escape}\\link${escape}]8;;${escape}\\`, 'link'],
  ['a\u0000b\u0008c\u007fd\te', 'abcd\te'],
  [`${escape}`, ''],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>']
])('the text of %j is %j', (line, text) => {
  expect(withoutEscapes(line)).toBe(text)
  expect(
    parseAnsi(line)
      .map((span) => span.text)
      .join('')
  ).toBe(text)
})

test('a line of escapes only is parsed quickly', () => {
  expect(parseAnsi(`${escape}[31m`.repeat(200_000))).toEqual([])
})
