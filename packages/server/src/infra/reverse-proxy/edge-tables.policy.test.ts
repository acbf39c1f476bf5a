import { expect, test } from 'vitest'
import { edgeState, namedPools, tableChanges } from './edge-tables.policy.ts'

const machines = new Map([['10.0.0.2', '1']])
const routes = new Map([
  ['panel.test/', 'panel:0:1'],
  ['mail.test/mail/', 'mail:0:0'],
  ['here.test/', '172.29.0.2:8080:1:site'],
  ['there.test/', '10.0.0.2:30001:1:site'],
  ['asleep.test/', '172.29.0.3:8080:1:site::sleeping'],
  ['off.test/', 'stopped:0:1:site'],
  ['no.test/', 'nothing:0:0'],
  ['both.test/', '0.0.0.1:1:0:site:rules'],
  ['only-here.test/', '0.0.1.2:1:0']
])
const member = (address: string) => ({ address, port: 8080 })
const pools = [
  { number: 1, isSticky: false, members: [member('172.29.0.4'), member('10.0.0.2')] },
  { number: 2, isSticky: true, members: [member('172.29.0.5')] }
]

test('an edge serves what is on added machines, and relays the rest', () => {
  const state = edgeState({ routes, rules: new Map(), machines, pools })
  const relayed = [...state.routes].filter(([, value]) => value === 'relay:0:0').map(([key]) => key)
  expect(relayed).toEqual(['panel.test/', 'mail.test/mail/', 'here.test/', 'asleep.test/', 'only-here.test/'])
  expect(state.pools).toEqual([{ number: 1, isSticky: false, members: [member('10.0.0.2')] }])
  for (const [key, value] of state.routes) if (!relayed.includes(key)) expect(value).toBe(routes.get(key))
})

test('an edge relays what is on machines out of its reach', () => {
  const state = edgeState({ routes, rules: new Map(), machines, pools }, new Set(['10.0.0.2']))
  expect(state.routes.get('there.test/')).toBe('relay:0:0')
  expect([...state.machines, ...state.pools]).toEqual([])
})

test('the pools that routes name', () => {
  expect(namedPools(routes)).toEqual([
    { number: 1, isSticky: false },
    { number: 2, isSticky: true }
  ])
})

test('changes of a table', () => {
  const before = new Map([['a', '1'], ['b', '1'], ['c', '1']]) // oxfmt-ignore
  const after = new Map([['a', '1'], ['b', '2'], ['d', '1']]) // oxfmt-ignore
  expect(tableChanges(before, after, 3)).toEqual(new Map([['c', undefined], ['b', '2'], ['d', '1']])) // oxfmt-ignore
  expect(tableChanges(before, after, 2)).toBeUndefined()
})
