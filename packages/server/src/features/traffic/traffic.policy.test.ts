import { expect, test } from 'vitest'
import type { SiteTraffic } from '../../infra/traffic/traffic.ts'
import { beginOf, leftOut } from './traffic.policy.ts'

const site = (requests: number): SiteTraffic => ({
  site: 'shop',
  requests,
  clientErrors: 0,
  serverErrors: 0,
  bytesIn: 0,
  bytesOut: 0,
  milliseconds: 0,
  times: []
})
const batch = (id: string, sites: number, lost = 0) => ({
  id,
  at: new Date(0),
  sites: Array.from({ length: sites }, () => site(10)),
  lost
})

test.each([
  ['nothing', [], [], 0],
  ['what has room', [batch('a', 2), batch('b', 1)], ['a', 'b'], 0],
  ['the newest of more', [batch('a', 2, 5), batch('b', 2), batch('c', 1)], ['b', 'c'], 25],
  ['one that is larger than all the room', [batch('a', 1), batch('b', 4)], ['b'], 10]
])('waiting: %s', (_title, waiting, ids, lost) => {
  const result = leftOut(waiting, 3)
  expect(result.kept.map(({ id }) => id)).toEqual(ids)
  expect(result.lost).toBe(lost)
})

test.each([
  ['1h', '2026-11-23T11:01:00.000Z'],
  ['24h', '2026-11-22T12:01:00.000Z'],
  ['7d', '2026-11-16T12:15:00.000Z'],
  ['30d', '2026-10-24T13:00:00.000Z']
] as const)('%s begins with a whole step', (range, begin) => {
  expect(beginOf(range, new Date('2026-11-23T12:00:30Z')).toISOString()).toBe(begin)
})
