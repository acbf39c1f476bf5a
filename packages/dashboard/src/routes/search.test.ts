import { expect, test } from 'vitest'
import { numberIn, ownPathIn, pageIn } from './search.ts'

test.each([
  [1, 1, undefined],
  ['2', 2, 2],
  ['0', undefined, undefined],
  [-3, undefined, undefined],
  ['1.5', undefined, undefined],
  [undefined, undefined, undefined],
  ['x', undefined, undefined]
])('%j is the number %j and the page %j', (value, number, page) => {
  expect(numberIn(value)).toBe(number)
  expect(pageIn(value)).toBe(page)
})

test.each([
  ['/projects?q=shop&page=2', '/projects?q=shop&page=2'],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['https://evil.example', undefined]
])('%j is the path %j', (value, path) => expect(ownPathIn(value)).toBe(path))
