import { expect, test } from 'vitest'
import { maxValues, treeProblem } from './json-tree.policy.ts'

test.each([
  ['a text', '"x"'],
  ['null', 'null'],
  ['a list of nothing', '[]'],
  ['members of all kinds', '{"a":[1,{"b":null}],"constructor":"x","prototype":{}}'],
  ['as many values as may be', `[${'0,'.repeat(maxValues - 2)}0]`]
])('%s is taken', (_, text) => expect(treeProblem(JSON.parse(text))).toBeUndefined())

test.each([
  ['too many values in a row', `[${'0,'.repeat(maxValues - 1)}0]`],
  ['too many values one in another', `${'[1,'.repeat(maxValues / 2)}1${']'.repeat(maxValues / 2)}`]
])('%s is refused', (_, text) => expect(treeProblem(JSON.parse(text))).toBeTypeOf('string'))

test.each([
  ['a key that changes what objects inherit', '{"a":[{"__proto__":{"isAdmin":true},"b":1}]}', { a: [{ b: 1 }] }],
  ['the longer way to the same', '[{"constructor":{"prototype":{"isAdmin":true}},"b":1}]', [{ b: 1 }]]
])('%s is taken out', (_, text, left) => {
  const value: unknown = JSON.parse(text)
  expect(treeProblem(value)).toBeUndefined()
  expect(JSON.stringify(value)).toBe(JSON.stringify(left))
})
