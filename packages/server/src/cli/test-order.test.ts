import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longestFirst, recordedSeconds } from './test-order.ts'

const table = readFileSync(new URL('../../../../docs/testing.md', import.meta.url), 'utf8')

test('the table of docs/testing.md is read as it is written', () => {
  const seconds = recordedSeconds(table)
  expect(seconds.get('e2e/deployments/zero-downtime.test.ts')).toBeGreaterThan(0)
  expect(seconds.has('all')).toBe(false)
})

test('a file that was removed since has no seconds, and one that took none has', () => {
  const rows = ['| a.test.ts   |    1 |           |             |', '| b.test.ts   |      |         7 |         0.0 |']
  expect(recordedSeconds(rows.join('\n'))).toEqual(new Map([['b.test.ts', 0]]))
})

test('what takes long begins first, and before it what nobody has timed', () => {
  const seconds = new Map([
    ['short', 0.5],
    ['long', 300],
    ['middle', 20]
  ])
  const files = ['short', 'new', 'middle', 'long', 'also new']
  expect(files.sort(longestFirst(seconds))).toEqual(['new', 'also new', 'long', 'middle', 'short'])
})
