import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { otherNodeOf } from './other-node.ts'

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL('../../../../../scripts/other-node/package.json', import.meta.url), 'utf8')
) as { optionalDependencies: Record<string, string> }

test.each([
  [20, 24],
  [22, 24],
  [24, 20],
  [26, 20]
])('on Node.js %i, a part is run on %i', (own, other) => {
  const { name, major } = otherNodeOf(own)
  expect(major).toBe(other)
  for (const arch of ['x64', 'arm64'])
    expect(optionalDependencies[`${name}-linux-${arch}`]).toMatch(
      new RegExp(`^npm:node-linux-${arch}@${major}\\.\\d+\\.\\d+$`)
    )
})
