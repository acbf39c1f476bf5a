import { expect, test } from 'vitest'
import { suggestedName } from './suggested-name.ts'

test.each([
  ['shop', [], 'shop'],
  ['my-shop', [], 'my_shop'],
  ['my-shop', ['my_shop', 'other'], 'my_shop_2'],
  ['shop', ['shop', 'shop_2'], 'shop_3'],
  ['', ['shop'], ''],
  ['x'.repeat(63), [], 'x'.repeat(56)]
])('the project %s with the databases %j gets %s', (project, taken, name) => {
  const databases = taken.map((each) => ({ name: each }))
  expect(suggestedName(project, databases)).toBe(name)
})
