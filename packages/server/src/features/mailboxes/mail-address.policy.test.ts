import { expect, test } from 'vitest'
import { parseMailAddress } from './mail-address.policy.ts'

test.each([
  ['ann@example.com', 'ann@example.com'],
  ['Ann.Lee+list@Example.COM', 'ann.lee+list@example.com'],
  ["o'brien_x=1~&@sub.example.com", "o'brien_x=1~&@sub.example.com"],
  ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`]
])('%j is %s', (text, address) => {
  expect(parseMailAddress(text)).toEqual({ address })
})

test.each([
  '',
  'ann',
  '@example.com',
  'ann@',
  'ann@localhost',
  'ann@[192.0.2.1]',
  'ann@192.0.2.1',
  'ann@*.example.com',
  'ann@example.com.',
  'ann@example..com',
  'a@b@example.com',
  '"a b"@example.com',
  '.ann@example.com',
  'ann.@example.com',
  'a..b@example.com',
  '-ann@example.com',
  '|/bin/sh@example.com',
  '/var/mail/x@example.com',
  ':include:/etc/passwd@example.com',
  'a,b@example.com',
  'a b@example.com',
  'a%b@example.com',
  'a!b@example.com',
  '#a@example.com',
  'a\nb@example.com',
  'ann@example.com\n',
  'ann@exa mple.com',
  'grüße@example.com',
  `${'a'.repeat(65)}@example.com`,
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.example`
])('rejects %j', (text) => {
  expect(parseMailAddress(text)).toEqual({ problem: expect.any(String) })
})
