import { expect, test } from 'vitest'
import { createRecentEvents } from './recent-events.ts'

const recentEvents = () => {
  const clock = { now: 0 }
  const recent = createRecentEvents<string>({ keptMs: 100, most: 3, now: () => clock.now })
  const add = (at: number, event: string) => {
    clock.now = at
    recent.add(event)
  }
  return { clock, recent, add }
}

test('returns the events of the given time in order', () => {
  const { recent, add } = recentEvents()
  add(10, 'a')
  add(20, 'b')
  add(30, 'c')
  expect(recent.ofLast(30)).toEqual(['a', 'b', 'c'])
  expect(recent.ofLast(10)).toEqual(['b', 'c'])
  expect(recent.ofLast(0)).toEqual(['c'])
})

test('the time before the start is unknown', () => {
  const { clock, recent } = recentEvents()
  clock.now = 50
  expect(recent.ofLast(50)).toEqual([])
  expect(recent.ofLast(51)).toBeUndefined()
})

test('old events are dropped and their time is unknown', () => {
  const { recent, add } = recentEvents()
  add(10, 'a')
  add(120, 'b')
  expect(recent.ofLast(100)).toEqual(['b'])
  expect(recent.ofLast(111)).toBeUndefined()
})

test('so are events above the maximum', () => {
  const { recent, add } = recentEvents()
  for (const [n, event] of ['a', 'b', 'c', 'd'].entries()) add(10 * (n + 1), event)
  expect(recent.ofLast(20)).toEqual(['b', 'c', 'd'])
  expect(recent.ofLast(31)).toBeUndefined()
})

test('after a possible loss, the time before is unknown', () => {
  const { clock, recent, add } = recentEvents()
  add(10, 'a')
  clock.now = 20
  recent.lose()
  add(30, 'b')
  expect(recent.ofLast(20)).toBeUndefined()
  expect(recent.ofLast(10)).toEqual(['b'])
})
