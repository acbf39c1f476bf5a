import { expect, test } from 'vitest'
import { type Exemptions, findExemption } from './exemption.policy.ts'

const none: Exemptions = { server: [], containers: [], trustedProxies: [], allowed: [], administrators: [] }
const given: Exemptions = {
  server: ['203.0.113.1', '2001:db8:1::1'],
  containers: ['172.30.0.0/16'],
  trustedProxies: ['198.51.100.0/24'],
  allowed: ['192.0.2.0/25', '2001:db8:2::/48'],
  administrators: ['203.0.113.7', '2001:db8:3::7']
}

test.each([
  ['203.0.113.1', 'server'],
  ['2001:db8:1:0::/64', 'server'],
  ['172.30.4.2', 'containers'],
  ['198.51.100.9', 'trustedProxies'],
  ['192.0.2.100', 'allowed'],
  ['2001:db8:2:9::/64', 'allowed'],
  ['203.0.113.7', 'administrators'],
  ['2001:db8:3:0::/64', 'administrators'],
  ['192.0.2.200', undefined],
  ['203.0.113.8', undefined],
  ['2001:db8:4:0::/64', undefined]
])('%s: %s', (address, exemption) => {
  expect(findExemption(address, given)).toBe(exemption)
})

test.each([
  '127.0.0.1',
  '127.8.9.1',
  '0.0.0.0',
  '169.254.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '0:0:0:0::/64',
  'fe80:0:0:0::/64',
  'ff02:0:0:0::/64'
])('%s is never banned', (address) => {
  expect(findExemption(address, none)).toBe('server')
})
