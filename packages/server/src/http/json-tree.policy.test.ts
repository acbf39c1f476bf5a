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
  ['a key that changes what objects inherit', '{"a":[{"__proto__":{"isAdmin":true}}]}'],
  ['the longer way to the same', '[{"constructor":{"prototype":{"isAdmin":true}}}]'],
  ['too many values in a row', `[${'0,'.repeat(maxValues - 1)}0]`],
  ['too many values one in another', `${'[1,'.repeat(maxValues / 2)}1${']'.repeat(maxValues / 2)}`]
])('%s is refused', (_, text) => expect(treeProblem(JSON.parse(text))).toBeTypeOf('string'))
