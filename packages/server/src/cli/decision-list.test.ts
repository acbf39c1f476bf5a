import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const directory = new URL('../../../../docs/adr/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, directory), 'utf8')

test('docs/adr/README.md lists each decision, in order, by its number and title', () => {
  const decisions = readdirSync(directory)
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .map((name) => read(name).replace(/^# (\d+)\. ([^\n]+)[^]*$/, `- $1. [$2](${name})`))
  expect(decisions.length).toBeGreaterThan(20)
  expect(
    read('README.md')
      .split('\n')
      .filter((line) => line.startsWith('- '))
  ).toEqual(decisions)
})
