import { expect, test } from 'vitest'
import { createAddressTest } from './own-proxy.ts'

test.each([
  ['127.0.0.1', ['loopback'], true],
  ['::ffff:127.0.0.1', ['127.0.0.1'], true],
  ['::1', ['loopback'], true],
  ['fe80::1%eth0', ['linklocal'], true],
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['10.1.2.3', ['10.0.0.1', '2001:db8::/32'], false],
  ['2001:db8::5', ['10.0.0.1', '2001:db8::/32'], true],
  ['192.0.2.1', [], false],
  ['nonsense', ['loopback'], false],
  [undefined, ['loopback'], false]
])('%s among %j: %s', (address, list, expected) => expect(createAddressTest(list)(address)).toBe(expected))
