import { describe, expect, test } from 'vitest'
import { afterRestart, findHung, type InstanceFacts, type PastRestarts } from './hung-instance.policy.ts'

const nowMs = Date.parse('2026-11-28T12:00:00Z')
const ago = (seconds: number) => new Date(nowMs - seconds * 1000).toISOString()
const down = (values: Partial<InstanceFacts> = {}): InstanceFacts => ({
  containerId: 'one',
  status: 'running',
  startedAt: ago(3600),
  downSeconds: 60,
  ...values
})
const hung = (instances: InstanceFacts[], past?: PastRestarts, graceSeconds = 60) =>
  findHung(instances, { past, graceSeconds, nowMs })?.containerId

describe('an instance', () => {
  test.each<[string, Partial<InstanceFacts>, string | undefined]>([
    ['down for a minute is restarted', {}, 'one'],
    ['down for less is not', { downSeconds: 59 }, undefined],
    ['that the engine restarts is left to it', { status: 'restarting' }, undefined],
    ['that has just started is not', { startedAt: ago(59) }, undefined]
  ])('%s', (_title, values, expected) => {
    expect(hung([down(values)])).toBe(expected)
  })

  test('has the time to start of the health check', () => {
    expect(hung([down({ startedAt: ago(200) })], undefined, 300)).toBeUndefined()
    expect(hung([down({ startedAt: ago(300) })], undefined, 300)).toBe('one')
  })
})

test('of several, the one that has been down longest', () => {
  expect(hung([down(), down({ containerId: 'two', downSeconds: 90 })])).toBe('two')
})

test('the pauses double up to half an hour, and are reset after a quiet hour', () => {
  const restarts = [120, 240, 480, 960, 1800, 1800].reduce<{ past: PastRestarts | undefined; at: number }>(
    ({ past, at }, pause) => {
      const next = afterRestart(past, at)
      const one = down({ downSeconds: 999, startedAt: '2020-01-01T00:00:00Z' })
      const find = (later: number) => findHung([one], { past: next, graceSeconds: 0, nowMs: at + later * 1000 })
      expect([find(pause - 1), find(pause)]).toEqual([undefined, one])
      return { past: next, at: at + pause * 1000 }
    },
    { past: undefined, at: nowMs }
  )
  expect(afterRestart(restarts.past, restarts.at + 3_600_000).count).toBe(1)
})
