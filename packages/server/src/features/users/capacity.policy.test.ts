import { describe, expect, test } from 'vitest'
import { addCapacity, findExceeded, instancesThatFit, roomIn } from './capacity.policy.ts'

const none = { memoryMb: 0, cpus: 0 }
const of = (memoryMb: number, cpus: number) => ({ memoryMb, cpus })
const limits = (maxMemoryMb: number | null, maxCpus: number | null) => ({ maxMemoryMb, maxCpus })

describe('the quota that a change exceeds', () => {
  test.each([
    ['none is set', limits(null, null), of(9999, 99), undefined],
    ['exactly full', limits(512, 2), of(512, 2), undefined],
    ['memory', limits(512, 2), of(513, 2), 'maxMemoryMb'],
    ['CPU', limits(512, 2), of(512, 2.1), 'maxCpus'],
    ['a quota of 0', limits(0, null), of(1, 1), 'maxMemoryMb']
  ])('%s', (_title, account, used, expected) => {
    expect(findExceeded(account, used, { before: none, after: of(100, 1) })?.quota).toBe(expected)
  })

  test('a part that does not grow is not checked', () => {
    const change = { before: of(200, 1), after: of(100, 1) }
    expect(findExceeded(limits(50, 0), of(100, 1), change)).toBeUndefined()
  })
})

test('tenths of cores add up exactly', () => {
  const used = addCapacity(Array.from({ length: 3 }, () => of(1, 0.1)))
  expect(findExceeded(limits(null, 0.3), used, { before: none, after: used })).toBeUndefined()
  expect(instancesThatFit(5, of(1, 0.1), of(100, 0.3))).toBe(3)
})

test('the room is that of the tightest account, and never negative instances', () => {
  const room = roomIn([
    { limits: limits(1024, null), used: of(512, 8) },
    { limits: limits(null, 10), used: of(900, 9) }
  ])
  expect(room).toEqual(of(512, 1))
  expect(instancesThatFit(4, of(256, 0.25), room)).toBe(2)
  expect(instancesThatFit(4, of(256, 0.25), of(-100, 1))).toBe(0)
  expect(instancesThatFit(4, of(256, 1), roomIn([{ limits: limits(null, null), used: none }]))).toBe(4)
})
