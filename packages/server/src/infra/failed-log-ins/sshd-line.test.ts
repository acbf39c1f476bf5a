import { expect, test } from 'vitest'
import { failedAddressOf } from './sshd-line.ts'

test.each([
  ['Failed password for vsftp_shop from 203.0.113.7 port 51234 ssh2', '203.0.113.7'],
  ['Failed password for invalid user admin from 2001:db8::7 port 51234 ssh2\r', '2001:db8::7'],
  ['Failed keyboard-interactive/pam for root from 203.0.113.7 port 51234 ssh2', '203.0.113.7'],
  ['Invalid user admin from 203.0.113.7 port 51234', '203.0.113.7'],
  ['Invalid user  from 203.0.113.7 port 51234', '203.0.113.7']
])('failed: %s', (line, address) => {
  expect(failedAddressOf(line)).toBe(address)
})

test.each([
  'Accepted password for vsftp_shop from 203.0.113.7 port 51234 ssh2',
  'Failed publickey for vsftp_shop from 203.0.113.7 port 51234 ssh2: ED25519 SHA256:abc',
  'Failed none for invalid user admin from 203.0.113.7 port 51234 ssh2',
  'Connection closed by authenticating user root 203.0.113.7 port 51234 [preauth]',
  ''
])('not failed: %s', (line) => {
  expect(failedAddressOf(line)).toBeUndefined()
})

test('a username cannot name another address', () => {
  const user = 'x from 198.51.100.1 port 22 ssh2'
  expect(failedAddressOf(`Failed password for invalid user ${user} from 203.0.113.7 port 51234 ssh2`)).toBe(
    '203.0.113.7'
  )
  expect(failedAddressOf(`Invalid user ${user} from 203.0.113.7 port 51234`)).toBe('203.0.113.7')
  expect(failedAddressOf(`Accepted password for Failed password for x from 198.51.100.1 port 22 ssh2`)).toBeUndefined()
})
