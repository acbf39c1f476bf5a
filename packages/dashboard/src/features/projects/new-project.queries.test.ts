import { expect, test } from 'vitest'
import { nameOf } from './new-project.queries.ts'

test('a folder is part of the suggested name', () => {
  expect(nameOf('https://github.com/acme/shop.git', 'apps/web')).toBe('shop-web')
})

test.each([
  ['https://github.com/acme/Shop.Front_end.git', 'shop-front-end'],
  ['git@github.com:acme/shop', 'shop'],
  ['https://github.com/acme/_.git', ''],
  ['https://github.com/acme/-x-', 'x'],
  ['https://github.com/acme/xn--abc', 'xn-abc'],
  [`https://github.com/acme/${'a'.repeat(62)}-b`, 'a'.repeat(62)]
])('suggests a name for %s: %j', (gitUrl, name) => {
  expect(nameOf(gitUrl)).toBe(name)
})
