import { expect, test } from 'vitest'
import { isIdle } from './sleep.policy.ts'

const now = new Date('2026-03-29T02:30:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test.each([
  ['without any request', { awakeSince: ago(10), lastRequestAt: null }, true],
  ['with a request just before the limit', { awakeSince: ago(60), lastRequestAt: ago(9) }, false],
  ['with its last request at the limit', { awakeSince: ago(60), lastRequestAt: ago(10) }, true],
  ['that was just woken', { awakeSince: ago(1), lastRequestAt: ago(60) }, false],
  ['that was never started by anyone', { awakeSince: null, lastRequestAt: null }, true],
  ['with a request after now, as the clock was set back', { awakeSince: ago(60), lastRequestAt: ago(-5) }, false]
])('a site %s', (_name, activity, expected) => {
  expect(isIdle({ sleepAfterMinutes: 10, ...activity }, now)).toBe(expected)
})
