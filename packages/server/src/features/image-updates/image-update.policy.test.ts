import { expect, test } from 'vitest'
import { isNewerImage, nextCheckAt } from './image-update.policy.ts'

const live = { reference: 'ghcr.io/org/app:1', digest: 'sha256:a' }

test.each([
  ['the tag was moved', live, { ...live, digest: 'sha256:b' }, true],
  ['the tag was not moved', live, live, false],
  ['nothing is live', null, live, false],
  ['it was not checked', live, undefined, false],
  ['no check succeeded', live, { ...live, digest: null }, false],
  ['the project has another image now', live, { reference: 'ghcr.io/org/app:2', digest: 'sha256:b' }, false]
])('%s', (_, deployed, check, isNewer) => {
  expect(isNewerImage(deployed, check)).toBe(isNewer)
})

test('checks are spread around six hours', () => {
  const now = new Date('2026-11-16T00:00:00Z')
  expect([0, 0.5, 1].map((chance) => (nextCheckAt(now, chance).getTime() - now.getTime()) / 3_600_000)).toEqual([
    5.4, 6, 6.6
  ])
})
