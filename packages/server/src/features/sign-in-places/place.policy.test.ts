import { describe, expect, test } from 'vitest'
import { agentFamily, isNewPlace, networkOf } from './place.policy.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15'

test.each([
  [chrome, 'Chrome'],
  [`${chrome} Edg/120.0`, 'Edge'],
  [`${chrome} OPR/106.0`, 'Opera'],
  [safari, 'Safari'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0', 'Firefox'],
  ['curl/8.5.0', 'curl'],
  ['Curl', 'curl'],
  ['<script>', 'unknown'],
  ['', 'unknown'],
  [null, 'unknown']
])('%s is %s', (text, family) => expect(agentFamily(text)).toBe(family))

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8:0001::9', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['nonsense', 'unknown'],
  [null, 'unknown']
])('%s lies in %s', (ip, network) => expect(networkOf(ip)).toBe(network))

describe('a new place', () => {
  const seen = [
    { ip: '203.0.113.7', userAgent: chrome },
    { ip: '2001:db8:1::1', userAgent: safari }
  ]
  test.each([
    ['the very first', '198.51.100.1', chrome, [], false],
    ['the same', '203.0.113.7', chrome, seen, false],
    ['a neighbour with a newer version', '203.0.113.99', chrome.replace('120', '131'), seen, false],
    ['another network', '203.0.114.7', chrome, seen, true],
    ['another program', '203.0.113.7', 'curl/8', seen, true],
    ['both known, but not together', '203.0.113.7', safari, seen, true],
    ['another address of the site', '2001:db8:1:ffff::1', safari, seen, false],
    ['another site', '2001:db8:2::1', safari, seen, true]
  ])('%s', (_what, ip, userAgent, before, expected) => {
    expect(isNewPlace({ ip, userAgent }, before)).toBe(expected)
  })
})
