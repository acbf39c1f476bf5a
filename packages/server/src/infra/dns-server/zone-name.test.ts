import { expect, test } from 'vitest'
import { assertZoneName } from './zone-name.ts'

const longest = [...Array.from({ length: 3 }, () => 'a'.repeat(63)), 'b'.repeat(61)].join('.')

test.each(['example.com', 'test', 'a-b.c--d.example', '_dmarc.example.com', '2.0.192.in-addr.arpa', longest])(
  '%s is a name',
  (name) => {
    expect(() => assertZoneName(name)).not.toThrow()
  }
)

test.each([
  ['nothing', ''],
  ['the root', '.'],
  ['a dot at the end', 'example.com.'],
  ['an empty label', 'a..b'],
  ['a way out', '../etc/passwd'],
  ['two dots', '..'],
  ['a path', 'a/b'],
  ['upper case', 'Example.com'],
  ['a blank', 'a b'],
  ['a line feed', 'a.test\n'],
  ['a NUL', 'a\0b'],
  ['an option', '-c.test'],
  ['a filter of knotc', '+serial'],
  ['an escape', 'a\\046b.test'],
  ['a wildcard', '*.test'],
  ['a letter beyond ASCII', 'bücher.example'],
  ['a long label', `${'a'.repeat(64)}.test`],
  ['a long name', `${longest}b`]
])('%s is none', (_, name) => {
  expect(() => assertZoneName(name)).toThrow(TypeError)
})
