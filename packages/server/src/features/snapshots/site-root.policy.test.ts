import { expect, test } from 'vitest'
import { siteRoot } from './site-root.policy.ts'

test.each<[readonly string[], string | undefined]>([
  [['shop'], 'shop'],
  [['.DS_Store', 'shop'], 'shop'],
  [['index.html', 'shop'], undefined],
  [[], undefined]
])('the root of an archive with %j is %s', (names, expected) => {
  expect(siteRoot(names)).toBe(expected)
})
