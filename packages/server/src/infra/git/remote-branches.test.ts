import { expect, test } from 'vitest'
import { parseBranches } from './remote-branches.ts'

const hash = 'a'.repeat(40)
const listing = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')

test('sorts branches and reports the default branch', () => {
  const text = listing(
    'ref: refs/heads/main\tHEAD',
    `${hash}\tHEAD`,
    `${hash}\trefs/heads/main`,
    `${hash}\trefs/heads/feature/x`
  )
  expect(parseBranches(text)).toEqual({ names: ['feature/x', 'main'], head: 'main' })
})

test('leaves out other refs and invalid names', () => {
  const text = listing(
    `${hash}\trefs/remotes/origin/HEAD`,
    `${hash}\trefs/heads/-x`,
    `${hash}\trefs/heads/a;b`,
    `${hash}\trefs/heads/ok`
  )
  expect(parseBranches(text)).toEqual({ names: ['ok'], head: undefined })
})

test('ignores a dangling HEAD', () => {
  expect(parseBranches(listing('ref: refs/heads/gone\tHEAD', `${hash}\trefs/heads/main`)).head).toBeUndefined()
  expect(parseBranches('')).toEqual({ names: [], head: undefined })
})

test('includes the default branch when the list is cut', () => {
  const many = Array.from({ length: 3_000 }, (_, n) => `${hash}\trefs/heads/b${n}`)
  const { names, head } = parseBranches(listing('ref: refs/heads/zz\tHEAD', ...many, `${hash}\trefs/heads/zz`))
  expect([names.length, names.at(-1), head]).toEqual([1_000, 'zz', 'zz'])
})
