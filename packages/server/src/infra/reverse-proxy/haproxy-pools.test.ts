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

test('requests end at members of a machine that are down', async () => {
  const members = ['36 0 0', '36 2 0', '36 0 1', '37 0 0'].map((values, at) => {
    const [host, ...states] = values.split(' ')
    return `8 pool.0.3 ${at} ${at} 10.0.0.${host} ${states.join(' ')} 1 75 - 3000\n`
  })
  const sent: string[] = []
  const pools = createPools(async (command) => {
    sent.push(command)
    return command.startsWith('show') ? answer.split('\n').slice(0, 2).join('\n') + '\n' + members.join('') : ''
  })
  const pool = { number: 3, isSticky: false, members: [{ address: '10.0.0.36', port: 3000 }] }
  await pools.sync([pool]).catch(() => {})
  sent.length = 0
  await pools.endRequests('10.0.0.36')
  expect(new Set(sent.filter((command) => command.includes('pool.0.3/')))).toEqual(new Set(['shutdown sessions server pool.0.3/0'])) // oxfmt-ignore
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
