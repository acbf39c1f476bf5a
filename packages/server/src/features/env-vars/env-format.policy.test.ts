import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEnvFile, renderEnvFile } from './env-format.policy.ts'

const valuesOf = (text: string) =>
  Object.fromEntries(parseEnvFile(text).entries.map(({ key, value }) => [key, value] as const))

test.each([
  ['A=abc#def', 'abc#def'],
  ['A=#fff', '#fff'],
  ['A=abc #def', 'abc'],
  ['A=abc\t#def', 'abc'],
  ['A= # a comment', ''],
  ['A=#', '#'],
  ['A=https://example.com/#top # the top', 'https://example.com/#top'],
  ['A="abc #def" # a comment', 'abc #def'],
  ['A="abc"#a comment', 'abc'],
  ["A='abc #def'", 'abc #def'],
  ['A=`abc #def`', 'abc #def'],
  ['A="{\\"key\\": \\"C:\\\\new\\"}"', '{"key": "C:\\new"}'],
  ['A="say "hi""', 'say "hi"'],
  ['A="x" and "y', '"x" and "y'],
  ["A='it\\'s'", "it's"],
  ['A="$HOME \\$HOME"', '$HOME $HOME'],
  ["A='\\n $HOME'", '\\n $HOME'],
  ['A="one\r\ntwo"', 'one\ntwo'],
  ['\ufeffA=x', 'x'],
  ['A: x', 'x'],
  ['A:x', undefined]
])('%j has the value %j', (text, value) => expect(valuesOf(text).A).toBe(value))

test('line numbers count through multi-line values, and an unclosed quote does not swallow the next lines', () => {
  expect(parseEnvFile('A="1\n2\n3"\n\nB=\'open\nC="\nD=x\n=y')).toEqual({
    entries: [
      { key: 'A', value: '1\n2\n3', line: 1 },
      { key: 'D', value: 'x', line: 7 }
    ],
    skipped: [
      { line: 5, code: 'OPEN_QUOTE' },
      { line: 6, code: 'OPEN_QUOTE' },
      { line: 8, code: 'NO_VARIABLE' }
    ]
  })
})

// Like EnvValue: any Unicode text without NUL. Characters with a meaning in the format are frequent.
const special = fc.constantFrom('#', ' ', '\t', '\n', '\r', '"', "'", '`', '\\', '$', '=', ':', 'n', 'r', '\ufeff')
const value = fc
  .array(fc.oneof(special, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 20 })
  .map((parts) => parts.join(''))
  .filter((text) => !text.includes('\0'))
const variables = fc
  .array(value, { maxLength: 30 })
  .map((values) => values.map((text, index) => ({ key: `KEY_${index}`, value: text })))
const asRecord = (list: readonly { key: string; value: string }[]) =>
  Object.fromEntries(list.map(({ key, value: text }) => [key, text] as const))

test('rendered files parse to the same values with nothing skipped', () => {
  fc.assert(
    fc.property(variables, (list) => {
      const text = renderEnvFile(list)
      expect(valuesOf(text)).toEqual(asRecord(list))
      expect(parseEnvFile(text).skipped).toEqual([])
    }),
    { numRuns: 500 }
  )
})

test('a shell reads the same values', () => {
  // A POSIX shell has no escape for a carriage return, and passes bytes that are not UTF-8 through.
  const readable = variables.map((list) => list.filter(({ value: text }) => !text.includes('\r')))
  fc.assert(
    fc.property(readable, (list) => {
      const script = `set -a; ${renderEnvFile(list)}\nexec env -0`
      const { stdout } = spawnSync('/bin/sh', ['-s'], { input: script, env: {}, encoding: 'utf8' })
      const read = stdout.split('\0').filter((line) => line.startsWith('KEY_'))
      expect(read.sort()).toEqual(list.map(({ key, value: text }) => `${key}=${text}`).sort())
    }),
    { numRuns: 30 }
  )
})
