import { expect, test } from 'vitest'
import { ownNameServers } from './own-name-servers.ts'

test.each([
  [{ DNS_LISTEN: [], DNS_SECONDARIES: [] }, ['127.0.0.1:5353']],
  [{ DNS_LISTEN: ['0.0.0.0'], DNS_SECONDARIES: [] }, ['127.0.0.1:5353']],
  [{ DNS_LISTEN: ['::'], DNS_SECONDARIES: [] }, ['[::1]:5353']],
  [{ DNS_LISTEN: ['192.0.2.1', '192.0.2.2'], DNS_SECONDARIES: [] }, ['192.0.2.1:5353']],
  [
    { DNS_LISTEN: ['2001:db8::1'], DNS_SECONDARIES: [{ address: '192.0.2.53', port: 53 }] },
    ['[2001:db8::1]:5353', '192.0.2.53:53']
  ]
])('%j', (settings, addresses) => expect(ownNameServers({ DNS_PORT: 5353, ...settings })).toEqual(addresses))
