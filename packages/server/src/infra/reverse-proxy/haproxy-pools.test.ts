import { expect, test } from 'vitest'
import { createPools, parseServers, planServers } from './haproxy-pools.ts'

const answer = `1
# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight srv_time_since_last_change srv_fqdn srv_port
8 pool.0.3 1 172.29.0.34-3000 172.29.0.34 2 0 1 900 - 3000
8 pool.0.3 2 172.29.0.35-3000 172.29.0.35 0 1 1 800 - 3000
`
const servers = [
  { name: '172.29.0.34-3000', endpoint: '172.29.0.34:3000', isServing: true, downSeconds: undefined },
  { name: '172.29.0.35-3000', endpoint: '172.29.0.35:3000', isServing: false, downSeconds: 800 }
]

test('servers are read with their state', () => {
  expect(parseServers(answer)).toEqual(servers)
})

test('those that are down on purpose are not listed', async () => {
  const hung = '8 pool.0.3 3 172.29.0.36-3000 172.29.0.36 0 0 1 75 - 3000\n'
  const { listDown } = createPools(async () => answer + hung)
  expect(await listDown({ number: 3, isSticky: false })).toEqual([{ address: '172.29.0.36', port: 3000, seconds: 75 }])
})

test.each<[string[], RegExp[]]>([
  [['172.29.0.34:3000'], [/^del server p\/172.29.0.35-3000$/]],
  [['172.29.0.34:3000', '172.29.0.35:3000'], [/^set server p\/172.29.0.35-3000 state ready$/]],
  [
    ['172.29.0.40:80'],
    [
      /^add server p\/172.29.0.40-80 172.29.0.40:80 check .*; enable server p\/172.29.0.40-80;/,
      /^set server p\/172.29.0.34-3000 state maint$/,
      /^del server p\/172.29.0.34-3000$/,
      /^del server p\/172.29.0.35-3000$/
    ]
  ]
])('for %j', (wanted, commands) => {
  const plan = planServers('p', servers, wanted)
  expect(plan).toHaveLength(commands.length)
  for (const [at, command] of commands.entries()) expect(plan[at]).toMatch(command)
})
