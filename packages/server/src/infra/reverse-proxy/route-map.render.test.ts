import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Route, RouteRefusedError } from './reverse-proxy.ts'
import {
  parseRouteMap,
  renderRouteKey,
  renderRouteMap,
  renderRouteTable,
  renderRouteValue,
  type RouteTable
} from './route-map.render.ts'

const network = { subnet: '172.28.0.0/20', gateway: '172.28.0.1', pools: ['172.29.0.0/16'], networkPrefix: 27 }
const container = (address: string, port = 3000) => ({ kind: 'container' as const, address, port })

test.each([
  ['www.example.com', undefined, 'www.example.com/'],
  ['*.example.com', undefined, '*.example.com/'],
  ['xn--4ca.example.com', '/app', 'xn--4ca.example.com/app/'],
  ['a.b.c.example.com', '/a/b.c/~d_-', 'a.b.c.example.com/a/b.c/~d_-/'],
  ['1.example.com', '/...', '1.example.com/.../']
])('%s with %s is the key %s', (hostname, prefix, key) => {
  expect(renderRouteKey(hostname, prefix)).toBe(key)
})

test.each([
  [container('172.28.0.2'), true, '172.28.0.2:3000:1'],
  [container('172.28.15.254', 65_535), false, '172.28.15.254:65535:0'],
  [container('172.28.0.32'), false, '172.28.0.32:3000:0'],
  [container('172.29.0.34'), false, '172.29.0.34:3000:0'],
  [container('172.29.255.254'), false, '172.29.255.254:3000:0'],
  [{ kind: 'stopped' as const }, true, 'stopped:0:1'],
  [{ kind: 'starting' as const }, false, 'starting:0:0'],
  [{ kind: 'panel' as const }, true, 'panel:0:1'],
  [{ kind: 'mail' as const }, false, 'mail:0:0']
])('%j is the value of a route', (target, forceHttps, value) => {
  expect(renderRouteValue({ target, forceHttps }, network)).toBe(value)
})

test.each([
  '172.28.0.0',
  '172.28.0.1',
  '172.28.15.255',
  '172.28.16.1',
  '172.29.0.0',
  '172.29.0.32',
  '172.29.0.33',
  '172.29.0.63',
  '172.29.255.225',
  '172.30.0.2',
  '172.27.255.255',
  '127.0.0.1',
  '169.254.169.254'
])('%s is not a container address', (address) => {
  expect(() => renderRouteValue({ target: container(address), forceHttps: false }, network)).toThrow(RouteRefusedError)
})

test('an invalid network refuses every container', () => {
  for (const broken of [
    { ...network, subnet: '' },
    { ...network, pools: [''] },
    { ...network, gateway: '' }
  ]) {
    expect(() => renderRouteValue({ target: container('172.28.0.2'), forceHttps: false }, broken)).toThrow(
      RouteRefusedError
    )
  }
})

test('an unknown target kind is refused', () => {
  const target = JSON.parse('{"kind":"10.0.0.1:80:0\\nx"}')
  expect(() => renderRouteValue({ target, forceHttps: false }, network)).toThrow(RouteRefusedError)
})

test('the map is sorted regardless of the order of the routes', () => {
  const routes: Route[] = [
    { hostname: 'www.example.com', target: container('172.28.0.3'), forceHttps: true },
    { hostname: '*.example.com', target: { kind: 'stopped' }, forceHttps: false },
    { hostname: 'www.example.com', pathPrefix: '/app', target: container('172.28.0.2'), forceHttps: true }
  ]
  const text =
    '*.example.com/ stopped:0:0\nwww.example.com/ 172.28.0.3:3000:1\nwww.example.com/app/ 172.28.0.2:3000:1\n'
  expect(renderRouteMap(renderRouteTable(routes, network))).toBe(text)
  expect(renderRouteMap(renderRouteTable(routes.toReversed(), network))).toBe(text)
  expect(renderRouteMap(parseRouteMap(text))).toBe(text)
  expect(renderRouteMap(new Map())).toBe('')
})

test('parsing ignores invalid lines', () => {
  const text =
    'a.example.com/ 10.0.0.1:80:0\nkey-only\n\na.example.com 10.0.0.1:80:0\nb.example.com/ x:1:0\nc.example.com/ 10.0.0'
  expect([...parseRouteMap(text)]).toEqual([['a.example.com/', '10.0.0.1:80:0']])
})

test('no text makes more than one word of a key', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a', '.', '-', '*.', '/', 'com', '\n', ' ', ';', '%2e', '..')
  )
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.option(text, { nil: undefined }), (hostname, prefix) => {
      let key: string
      try {
        key = renderRouteKey(hostname, prefix)
      } catch (error) {
        expect(error).toBeInstanceOf(RouteRefusedError)
        return
      }
      expect(key).toMatch(/^[a-z0-9.*-]+\/([A-Za-z0-9._~-]+\/)*$/)
      const table: RouteTable = new Map([[key, 'stopped:0:0']])
      expect(parseRouteMap(renderRouteMap(table))).toEqual(table)
    })
  )
})

test('the site comes last and must be an identifier', () => {
  const stopped = { target: { kind: 'stopped' }, forceHttps: true } as const
  expect(renderRouteValue({ ...stopped, site: 'shop_1-a' }, network)).toBe('stopped:0:1:shop_1-a')
  for (const site of ['', 'a b', 'a:b', 'a\nset', 'a;b', 'a'.repeat(65)])
    expect(() => renderRouteValue({ ...stopped, site }, network)).toThrow(RouteRefusedError)
  const table = new Map([['shop.example.com/', '172.28.0.9:80:0:shop_1-a']])
  expect(parseRouteMap(renderRouteMap(table))).toEqual(table)
})
