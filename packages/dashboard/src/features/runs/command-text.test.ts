import { expect, test } from 'vitest'
import { commandText, parseCommand } from './command-text.ts'

test.each([
  ['npm run report', 'npm run report'],
  ['["node","report.js"]', ['node', 'report.js']],
  ['[ -f x ] && y', '[ -f x ] && y'],
  ['[1]', '[1]'],
  ['[]', '[]']
])('%s', (text, command) => {
  expect(parseCommand(text)).toEqual(command)
  expect(commandText(command)).toBe(text)
})
