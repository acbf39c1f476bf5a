import { expect, test } from 'vitest'
import type { HostReading } from '../../infra/host-metrics/host-metrics.ts'
import { containersMinute, hostMinute, isLate } from './minute.policy.ts'

const minute = 60_000
const host = (atMs: number, counted: number, bootId: string | undefined = 'a') =>
  ({ atMs, bootId, cpu: { busy: counted, total: 4 * counted }, network: { received: counted, sent: 0 } }) as HostReading
const unknown = { cpuPercent: null, networkReceived: null, networkSent: null }

test.each([
  ['a minute later', host(0, 0), host(minute, 600), { cpuPercent: 25, networkReceived: 10, networkSent: 0 }],
  ['the first of all', undefined, host(minute, 600), unknown],
  ['of another run of the machine', host(0, 0), host(minute, 600, 'b'), unknown],
  ['after hours without', host(0, 0), host(60 * minute, 600), unknown],
  ['of a machine that was set back', host(minute, 600), host(0, 0), unknown]
])('a machine: %s', (_what, before, now, expected) => expect(hostMinute(before, now)).toEqual(expected))

test.each([
  ['none before', undefined, false],
  ['an earlier one', host(0, 0), false],
  ['a later one', host(minute + 1, 0), true],
  ['a later one of another run', host(minute + 1, 0, 'b'), false],
  ['one from before the machine was set back', host(60 * minute, 0), false]
])('a reading is late: %s', (_what, before, expected) => expect(isLate(before, host(minute, 0))).toBe(expected))

const read = (atMs: number, bytes: Record<string, number>, bootId = 'a') => ({
  bootId,
  atMs,
  byId: new Map(
    Object.entries(bytes).map(([id, received]) => [
      id,
      { atMs, cpuSeconds: atMs / 1000, memoryUsed: 1, memoryLimit: 1, network: { received, sent: 0 } }
    ])
  )
})
const bytesOf = ({ used }: ReturnType<typeof containersMinute>) =>
  Object.fromEntries([...used].map(([id, { traffic }]) => [id, traffic?.received]))

test('containers: what was there before counts from then, what has come counts whole, what went is forgotten', () => {
  const first = containersMinute(undefined, read(0, { old: 100, gone: 5 }), ['old', 'gone'])
  expect(bytesOf(first)).toEqual({ old: undefined, gone: undefined })
  const second = containersMinute(first.counters, read(minute, { old: 150, new: 30 }), ['old', 'new'])
  expect(bytesOf(second)).toEqual({ old: 50, new: 30 })
  expect(second.used.get('old')!.cpuPercent).toBe(100)
  expect(Object.keys(second.counters.byId)).toEqual(['old', 'new'])
})

test('an unreadable container keeps its byte counters, but not its CPU counter, until it is readable again', () => {
  const first = containersMinute(undefined, read(0, { a: 100 }), ['a'])
  const second = containersMinute(first.counters, read(minute, {}), ['a'])
  expect(second.used.size).toBe(0)
  const third = containersMinute(second.counters, read(60 * minute, { a: 180 }), ['a'])
  expect(third.used.get('a')).toEqual({ cpuPercent: null, traffic: { received: 80, sent: 0 } })
})
