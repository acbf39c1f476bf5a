import { expect, test } from 'vitest'
import { isNewer, isVersion } from './version.policy.ts'

const ordered = [
  '0.1.0',
  '0.9.9',
  '0.10.0',
  '1.0.0-1',
  '1.0.0-2',
  '1.0.0-10',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '2.0.0'
]

test('each is newer than all before it and older than all after it', () => {
  for (const [i, a] of ordered.entries())
    for (const [j, b] of ordered.entries()) expect(isNewer(a, b), `${a} after ${b}`).toBe(i > j)
  expect(isNewer('1.0.0+build.5', '1.0.0+build.4')).toBe(false)
})

test.each(['', '1', '1.0', 'v1.0.0', '1.0.0 ', '1.0.0\n', '1.0.0-', '../1.0.0'])('%j is not a version', (text) => {
  expect(isVersion(text)).toBe(false)
  expect(isNewer(text, '0.1.0')).toBe(false)
  expect(isNewer('9.0.0', text)).toBe(false)
})
