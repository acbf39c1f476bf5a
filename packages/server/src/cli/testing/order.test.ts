import { expect, test } from 'vitest'
import { longestFirst } from './order.ts'

test('end-to-end files without timings start first, then the longest', () => {
  const run = { files: { 'e2e/a/short.test.ts': 2, 'e2e/a/long.test.ts': 300, 'packages/b.test.ts': 20 } }
  const paths = [
    'packages/quick.test.ts',
    'e2e/a/short.test.ts',
    'e2e/a/new.test.ts',
    'packages/b.test.ts',
    'e2e/a/long.test.ts'
  ]
  expect(paths.sort(longestFirst(run))).toEqual(['e2e/a/new.test.ts', 'e2e/a/long.test.ts', 'packages/b.test.ts', 'e2e/a/short.test.ts', 'packages/quick.test.ts']) // oxfmt-ignore
})
