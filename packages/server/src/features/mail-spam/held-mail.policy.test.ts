import { expect, test } from 'vitest'
import { heldWork } from './held-mail.policy.ts'

const now = new Date('2026-11-23T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test.each([
  ['held and not told', { isTold: false, notedAt: minutesAgo(1) }, true, 'tell'],
  ['held and told', { isTold: true, notedAt: minutesAgo(1) }, true, 'nothing'],
  ['held for long', { isTold: true, notedAt: minutesAgo(10_000) }, true, 'nothing'],
  ['not held yet', { isTold: false, notedAt: minutesAgo(1) }, false, 'nothing'],
  ['held no more', { isTold: true, notedAt: minutesAgo(61) }, false, 'forget'],
  ['released before anybody was told', { isTold: false, notedAt: minutesAgo(61) }, false, 'forget']
])('%s', (_, note, isHeld, expected) => {
  const { toTell, toForget } = heldWork([{ id: 'a', ...note }], new Set(isHeld ? ['a'] : []), now)
  expect([toTell.length > 0, toForget.length > 0]).toEqual([expected === 'tell', expected === 'forget'])
})
