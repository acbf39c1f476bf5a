import { expect, test } from 'vitest'
import { secondsOf, ttlText } from './ttl.ts'

test.each([
  [0, '0s'],
  [45, '45s'],
  [300, '5m'],
  [3_600, '1h'],
  [5_400, '1h 30m'],
  [1_209_600, '2w'],
  [2_147_483_647, '3550w 5d 3h 14m 7s']
])('%d seconds round-trip as %s', (seconds, text) => {
  expect(ttlText(seconds)).toBe(text)
  expect(secondsOf(text)).toBe(seconds)
})

test.each([
  ['3600', 3_600],
  [' 1H30M ', 5_400],
  ['', undefined],
  ['h', undefined],
  ['1 hour', undefined],
  ['-5m', undefined],
  ['1.5h', undefined]
])('%j is %s', (text, seconds) => expect(secondsOf(text)).toBe(seconds))
