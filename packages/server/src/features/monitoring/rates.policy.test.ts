import { expect, test } from 'vitest'
import type { ContainerReading, HostReading } from '../../infra/host-metrics/host-metrics.ts'
import {
  busyPercent,
  containerPercent,
  corePercents,
  shareOf,
  trafficBetween,
  trafficPerSecond
} from './rates.policy.ts'

test.each([
  ['half of the time', { busy: 0, total: 0 }, { busy: 50, total: 100 }, 50],
  ['more than all of it, as kernels round', { busy: 0, total: 0 }, { busy: 101, total: 100 }, 100],
  ['waiting that went back a little', { busy: 50, total: 100 }, { busy: 49, total: 200 }, 0],
  ['no time between them', { busy: 5, total: 100 }, { busy: 5, total: 100 }, null],
  ['counters were reset', { busy: 500, total: 1000 }, { busy: 5, total: 10 }, null],
  ['NaN', { busy: NaN, total: NaN }, { busy: 5, total: 10 }, null],
  ['the first reading', undefined, { busy: 5, total: 10 }, null]
])('%s', (_what, before, after, percent) => expect(busyPercent(before, after)).toBe(percent))

const host = (cores: [number, number, number][]) =>
  ({ cores: new Map(cores.map(([n, busy, total]) => [n, { busy, total }])) }) as unknown as HostReading

test('cores come and go: one that is new has no figure yet, one that is gone none any more', () => {
  const before = host([
    [0, 0, 0],
    [1, 0, 0]
  ])
  const after = host([
    [2, 5, 10],
    [0, 25, 100]
  ])
  expect(corePercents(before, after)).toEqual([25, null])
})

const container = (atMs: number, cpuSeconds: number | undefined) => ({ atMs, cpuSeconds }) as ContainerReading

test.each([
  ['one core and a half', container(0, 10), container(2_000, 13), 150],
  ['restarted', container(0, 10), container(2_000, 1), null],
  ['at the same moment', container(0, 10), container(0, 11), null],
  ['unreadable', container(0, undefined), container(2_000, 1), null],
  ['seen for the first time', undefined, container(2_000, 1), null]
])('a container: %s', (_what, before, after, percent) => expect(containerPercent(before, after)).toBe(percent))

const machine = (atMs: number, received: number) => ({ atMs, network: { received, sent: 0 } }) as unknown as HostReading

test.each([
  ['by the second', machine(0, 100), machine(2_000, 700), { received: 300, sent: 0 }],
  ['at the same moment', machine(0, 100), machine(0, 700), undefined],
  ['the first reading', undefined, machine(0, 700), undefined]
])('the network: %s', (_what, before, after, rate) => expect(trafficPerSecond(before, after)).toEqual(rate))

test('after a counter reset the whole counter counts', () => {
  expect(trafficBetween({ received: 10, sent: 10 }, { received: 15, sent: 30 })).toEqual({ received: 5, sent: 20 })
  expect(trafficBetween({ received: 10, sent: 10 }, { received: 3, sent: 30 })).toEqual({ received: 3, sent: 30 })
  expect(trafficBetween(undefined, { received: 3, sent: 30 })).toBeUndefined()
})

test('a share of nothing is not known', () => {
  expect([shareOf({ used: 1, total: 4 }), shareOf({ used: 0, total: 0 }), shareOf(undefined)]).toEqual([25, null, null])
})
