import { expect, test } from 'vitest'
import { sharedNetworkAddress } from './shared-network.policy.ts'

test.each([
  ['172.30.0.0/20', 8100, 8100, '172.30.0.10'],
  ['172.30.0.0/20', 8100, 8345, '172.30.0.255'],
  ['172.30.0.0/20', 8100, 8346, '172.30.1.0'],
  ['172.30.0.0/20', 8100, 8999, '172.30.3.141'],
  ['192.168.240.0/20', 1, 3829, '192.168.254.254'],
  ['10.255.0.0/16', 1, 65_000, '10.255.253.241']
])('%s, from %i: port %i maps to %s', (subnet, first, port, address) =>
  expect(sharedNetworkAddress(subnet, first, port)).toBe(address)
)

test.each([
  ['172.30.0.0/20', 8100, 8099],
  // The engine assigns the addresses from here on.
  ['172.30.0.0/20', 1, 3831],
  ['172.30.0.0/24', 8100, 8100]
])('%s, from %i: port %i has no address', (subnet, first, port) =>
  expect(() => sharedNetworkAddress(subnet, first, port)).toThrow(RangeError)
)

test('every port of the default range has a unique address', () => {
  const ports = Array.from({ length: 900 }, (_, i) => 8100 + i)
  expect(new Set(ports.map((port) => sharedNetworkAddress('172.30.0.0/20', 8100, port))).size).toBe(900)
})
