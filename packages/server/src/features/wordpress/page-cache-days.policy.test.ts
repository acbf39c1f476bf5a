import { expect, test } from 'vitest'
import { daysOfRequests } from './page-cache-days.policy.ts'

const file = (name: string, size: number) => ({ name, size, type: 'file' as const })

test('sizes are numbers of requests; other names and directories are ignored', () => {
  const files = [
    file('generation', 16),
    { ...file('requests-2026-11-26.hits', 4096), type: 'dir' as const },
    file('requests-2026-11-27.misses', 2),
    file('requests-2026-11-28.hits', 90),
    file('requests-2026-11-28.misses', 10),
    file('requests-2026-11-28.bypasses', 3),
    file('requests-2026-13-41.hits', 9),
    file('requests-2026-11-28.other', 9)
  ]
  expect(daysOfRequests(files)).toEqual([
    { date: '2026-11-28', hits: 90, misses: 10, bypasses: 3 },
    { date: '2026-11-27', hits: 0, misses: 2, bypasses: 0 }
  ])
})

test('the last seven days', () => {
  const files = Array.from({ length: 9 }, (_, index) => file(`requests-2026-11-0${index + 1}.hits`, 1))
  expect(daysOfRequests(files).map(({ date }) => date.slice(-1))).toEqual(['9', '8', '7', '6', '5', '4', '3'])
})
