import { expect, test } from 'vitest'
import { byteRange } from './byte-range.ts'

test.each([
  [undefined, 10, undefined],
  ['bytes=0-0', 10, { start: 0, end: 0 }],
  ['bytes=0-9', 10, { start: 0, end: 9 }],
  ['bytes=2-4', 10, { start: 2, end: 4 }],
  ['bytes=2-', 10, { start: 2, end: 9 }],
  ['bytes=9-', 10, { start: 9, end: 9 }],
  ['bytes=5-99999', 10, { start: 5, end: 9 }],
  [`bytes=5-${'9'.repeat(400)}`, 10, { start: 5, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-99', 10, { start: 0, end: 9 }],
  ['Bytes=1-2', 10, { start: 1, end: 2 }],
  ['bytes= 1-2 ', 10, { start: 1, end: 2 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-20', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=0-0', 0, 'unsatisfiable'],
  ['bytes=-1', 0, 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
  ['bytes=4-2', 10, undefined],
  ['bytes=-', 10, undefined],
  ['bytes=', 10, undefined],
  ['bytes=a-b', 10, undefined],
  ['bytes=1.5-2', 10, undefined],
  ['bytes=0x1-2', 10, undefined],
  ['bytes=--1', 10, undefined],
  ['bytes=1-2-3', 10, undefined],
  ['bytes 0-1', 10, undefined],
  ['lines=0-1', 10, undefined],
  ['0-1', 10, undefined],
  ['', 10, undefined],
  ['bytes=0-1,3-4', 10, undefined],
  ['bytes=0-1,', 10, undefined],
  [`bytes=${'0-,'.repeat(10_000)}`, 10, undefined]
])('%.40s of %d', (header, size, expected) => {
  expect(byteRange(header, size)).toEqual(expected)
})
