import { expect, test } from 'vitest'
import { portRanges } from './port-ranges.ts'

test.each([
  [[], []],
  [
    [80, 443],
    ['80', '443']
  ],
  [
    [465, 466],
    ['465', '466']
  ],
  [
    [80, 20_000, 20_001, 20_002, 20_100],
    ['80', '20000-20002', '20100']
  ]
])('%j', (ports, expected) => {
  expect(portRanges(ports)).toEqual(expected)
})
