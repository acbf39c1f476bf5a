import { describe, expect, test } from 'vitest'
import { everyStep, lonely, meansOf, spanOf, withGaps } from './series.ts'

const at = (seconds: number) => ({ at: new Date(seconds * 1_000).toISOString() })

describe('a gap', () => {
  test('is where more than a step lies between two points', () => {
    const { times, rows } = withGaps([at(60), at(120), at(600), at(660)], 60)
    expect(times).toEqual([60, 120, 180, 600, 660])
    expect(rows.map((row) => row !== null)).toEqual([true, true, false, true, true])
  })
  test('is not where a point is some seconds late', () => {
    expect(withGaps([at(60), at(140)], 60).times).toEqual([60, 140])
  })
})

test('each step of a span has a place, whether there is a point or not', () => {
  const { times, rows } = everyStep([at(120)], 60, { from: 30, to: 200 })
  expect(times).toEqual([60, 120, 180])
  expect(rows).toEqual([null, at(120), null])
})

test('a span ends now', () => expect(spanOf('1h', 7_200_999)).toEqual({ from: 3_600, to: 7_200 }))

test.each([
  [
    [1, null, 2, null],
    [0, 2]
  ],
  [[1, 2, null], []],
  [[null, 0, null], [1]],
  [[], []]
])('of %j, %j stand alone', (values, expected) => expect(lonely(values)).toEqual(expected))

test('a table has 24 rows at most, each the mean of what is known', () => {
  const times = Array.from({ length: 48 }, (_, minute) => minute * 60)
  const rows = meansOf(times, [
    { label: 'a', token: '--series-1', values: times.map((_, minute) => (minute < 2 ? null : minute % 2)) }
  ])
  expect(rows.length).toBe(24)
  expect(rows.slice(0, 2).map(({ means }) => means)).toEqual([[null], [0.5]])
})
