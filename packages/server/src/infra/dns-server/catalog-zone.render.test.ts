import { expect, test } from 'vitest'
import { isInCatalog, renderCatalog } from './catalog-zone.render.ts'

const shop = { name: 'shop.test', isSigned: false }
const blog = { name: 'blog.test', isSigned: true }

test('the whole catalog', () => {
  expect(renderCatalog([shop, blog])).toBe(`$ORIGIN catalog.panel.invalid.
$TTL 0
@ IN SOA invalid. invalid. 1 3600 600 2147483646 0
@ IN NS invalid.
version IN TXT "2"
d9028ccefa8f5fd0b1f9e68a.zones IN PTR blog.test.
group.d9028ccefa8f5fd0b1f9e68a.zones IN TXT "signed"
3207979f0fc332d838f2acd6.zones IN PTR shop.test.
`)
})

test('order and duplicates make no difference', () => {
  expect(renderCatalog([blog, shop])).toBe(renderCatalog([shop, blog, shop]))
})

test('a member is matched by its full name', () => {
  const catalog = renderCatalog([shop])
  expect(isInCatalog(catalog, 'shop.test')).toBe(true)
  expect(isInCatalog(catalog, 'hop.test')).toBe(false)
  expect(isInCatalog(catalog, 'shop')).toBe(false)
  expect(isInCatalog('', 'shop.test')).toBe(false)
})
