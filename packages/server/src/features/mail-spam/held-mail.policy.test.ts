import { expect, test } from 'vitest'
import { heldWork } from './held-mail.policy.ts'

const now = new Date('2026-11-23T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test.each([
  ['held and not told', { isNotified: false, notedAt: minutesAgo(1) }, true, 'tell'],
  ['held and told', { isNotified: true, notedAt: minutesAgo(1) }, true, 'nothing'],
  ['held for long', { isNotified: true, notedAt: minutesAgo(10_000) }, true, 'nothing'],
  ['not held yet', { isNotified: false, notedAt: minutesAgo(1) }, false, 'nothing'],
  ['held no more', { isNotified: true, notedAt: minutesAgo(61) }, false, 'forget'],
  ['released before anybody was told', { isNotified: false, notedAt: minutesAgo(61) }, false, 'forget']
])('%s', (_, note, isHeld, expected) => {
  const { toTell, toForget } = heldWork([{ id: 'a', ...note }], new Set(isHeld ? ['a'] : []), now)
  expect([toTell.length > 0, toForget.length > 0]).toEqual([expected === 'tell', expected === 'forget'])
})
