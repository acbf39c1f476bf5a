import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { version } from './version.ts'

test('is the version in package.json', () => {
  const { version: released } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  ) as { version: string }
  expect(version).toBe(released)
})
