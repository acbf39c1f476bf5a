import { expect, test } from 'vitest'
import { parseServers, planServers } from './haproxy-pools.ts'

const answer = `1
# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight srv_fqdn srv_port
8 pool.0.3 1 i1 172.29.0.34 2 4 1 - 3000
8 pool.0.3 2 i2 172.29.0.35 0 5 1 - 3000
8 pool.0.3 3 i3 192.0.2.1 0 5 1 - 1
`
const servers = [
  { name: 'i1', endpoint: '172.29.0.34:3000', isServing: true },
  { name: 'i2', endpoint: '172.29.0.35:3000', isServing: false },
  { name: 'i3', endpoint: '192.0.2.1:1', isServing: false }
]

test('servers are read with their state', () => {
  expect(parseServers(answer)).toEqual(servers)
})

test.each<[string[], string[][] | undefined]>([
  [['172.29.0.34:3000'], []],
  [[], [['i1 state maint']]],
  [['172.29.0.40:80'], [['i2 addr 172.29.0.40 port 80', 'i2 state ready'], ['i1 state maint']]],
  [
    ['a:1', 'b:2', '172.29.0.34:3000'],
    [
      ['i2 addr a port 1', 'i2 state ready'],
      ['i3 addr b port 2', 'i3 state ready']
    ]
  ],
  [['a:1', 'b:2', 'c:3'], undefined]
])('for %j', (wanted, commands) => {
  expect(planServers(servers, wanted)).toEqual(commands)
})

test('an endpoint that serves twice is kept once', () => {
  const twice = [servers[0]!, { ...servers[0]!, name: 'i2' }]
  expect(planServers(twice, ['172.29.0.34:3000'])).toEqual([['i2 state maint']])
})
