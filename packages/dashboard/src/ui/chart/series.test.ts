import { describe, expect, test } from 'vitest'
import { everyStep, lonely, meansOf, spanOf, withGaps } from './series.ts'

const at = (seconds: number) => ({ at: new Date(seconds * 1_000).toISOString() })

describe('a gap', () => {
  test('appears if two points are more than a step apart', () => {
    const { times, rows } = withGaps([at(60), at(120), at(600), at(660)], 60)
    expect(times).toEqual([60, 120, 180, 600, 660])
    expect(rows.map((row) => row !== null)).toEqual([true, true, false, true, true])
  })
  test('does not appear if a point is a few seconds late', () => {
    expect(withGaps([at(60), at(140)], 60).times).toEqual([60, 140])
  })
})

test('every step of a range has a point, also without data', () => {
  const { times, rows } = everyStep([at(120)], 60, { from: 30, to: 200 })
  expect(times).toEqual([60, 120, 180])
  expect(rows).toEqual([null, at(120), null])
})

test('a range ends now', () => expect(spanOf('1h', 7_200_999)).toEqual({ from: 3_600, to: 7_200 }))

test.each([
  [
    [1, null, 2, null],
    [0, 2]
  ],
  [[1, 2, null], []],
  [[null, 0, null], [1]],
  [[], []]
])('isolated points of %j are %j', (values, expected) => expect(lonely(values)).toEqual(expected))

test('a table has at most 24 rows, each the mean of known values', () => {
  const times = Array.from({ length: 48 }, (_, minute) => minute * 60)
  const rows = meansOf(times, [
    { label: 'a', token: '--series-1', values: times.map((_, minute) => (minute < 2 ? null : minute % 2)) }
  ])
  expect(rows.length).toBe(24)
  expect(rows.slice(0, 2).map(({ means }) => means)).toEqual([[null], [0.5]])
})
