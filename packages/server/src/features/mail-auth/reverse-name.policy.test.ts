import { expect, test } from 'vitest'
import { reverseLabels, reverseName } from './reverse-name.policy.ts'

test.each([
  ['198.51.100.7', '7.100.51.198.in-addr.arpa'],
  ['2001:db8::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
  ['::ffff:192.0.2.1', '1.0.2.0.0.0.0.c.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa']
])('%s', (address, name) => expect(reverseName(address)).toBe(name))

test('for a blocklist query', () => expect(reverseLabels('127.0.0.2')).toBe('2.0.0.127'))
