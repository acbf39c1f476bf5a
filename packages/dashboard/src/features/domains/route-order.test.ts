import { expect, test } from 'vitest'
import { routeOrder } from './route-order.ts'

const route = (hostname: string, pathPrefix: string | null = null) => ({
  hostname,
  pathPrefix,
  isWildcard: hostname.startsWith('*.')
})

test('orders exact hostnames before wildcards, closer wildcards first, longer paths first', () => {
  const routes = [
    route('*.example.com'),
    route('example.com'),
    route('shop.example.com'),
    route('shop.example.com', '/wine'),
    route('shop.example.com', '/wine/red'),
    route('*.dev.example.com'),
    route('a.test')
  ]
  expect(
    routeOrder(routes).map(([name, group]) => [name, group.map((each) => each.hostname + (each.pathPrefix ?? ''))])
  ).toEqual([
    ['a.test', ['a.test']],
    [
      'example.com',
      [
        'shop.example.com/wine/red',
        'shop.example.com/wine',
        'shop.example.com',
        'example.com',
        '*.dev.example.com',
        '*.example.com'
      ]
    ]
  ])
})
