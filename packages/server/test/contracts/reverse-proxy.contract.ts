import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeCertificates } from './reverse-proxy-certificates.contract.ts'
import type { ReverseProxy, Route, RouteTarget } from '../../src/infra/reverse-proxy/reverse-proxy.ts'

export interface ReverseProxyHarness {
  proxy: ReverseProxy
  /** Two containers that respond; their network gateway is `gateway`. */
  targets: readonly [RouteTarget & { kind: 'container' }, RouteTarget & { kind: 'container' }]
  gateway: string
  /** Who responds: `address:port` of a container, `stopped`, `starting`, `panel` or `nobody`. */
  answer(hostname: string, path: string): Promise<string>
  /** Fingerprint served for a name; `default` for names without a certificate. */
  servedFingerprint(hostname: string): Promise<string>
  /** Target of command injection. */
  mapPath: string
  whileHanging(work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Contract of every ReverseProxy; `createHarness` runs once. */
export function describeReverseProxy(name: string, createHarness: () => Promise<ReverseProxyHarness>): void {
  describe(name, () => {
    let harness: ReverseProxyHarness
    let proxy: ReverseProxy
    let first: ReverseProxyHarness['targets'][0]
    let second: ReverseProxyHarness['targets'][1]

    beforeAll(async () => {
      harness = await createHarness()
      proxy = harness.proxy
      ;[first, second] = harness.targets
    })
    afterAll(() => harness?.close())
    beforeEach(async () => {
      await proxy.sync([])
    })

    const name = (target: RouteTarget) =>
      target.kind === 'container' ? `${target.address}:${target.port}` : target.kind
    const route = (hostname: string, target: RouteTarget, pathPrefix?: string): Route => ({
      hostname,
      target,
      forceHttps: false,
      ...(pathPrefix === undefined ? {} : { pathPrefix })
    })

    test('returns its version', async () => {
      expect(await proxy.ping()).not.toBe('')
    })

    test('a route is active between set and remove and can change', async () => {
      expect(await harness.answer('a.example.com', '/')).toBe('nobody')
      await proxy.set(route('a.example.com', first))
      expect(await harness.answer('a.example.com', '/x?y=1')).toBe(name(first))
      await proxy.set(route('a.example.com', second))
      expect(await harness.answer('a.example.com', '/')).toBe(name(second))
      await proxy.remove('a.example.com')
      await proxy.remove('a.example.com')
      expect(await harness.answer('a.example.com', '/')).toBe('nobody')
    })

    test.each(['stopped', 'starting', 'panel'] as const)('a host can respond as %s', async (kind) => {
      await proxy.set(route('a.example.com', { kind }))
      expect(await harness.answer('a.example.com', '/')).toBe(kind)
    })

    test('a route points to another machine only while that is known', async () => {
      const there = route('a.example.com', { kind: 'container', address: '203.0.113.7', port: 20_001 })
      await expect(proxy.set(there)).rejects.toThrow(/address/)
      await expect(proxy.syncMachines(['203.0.113.7 1'])).rejects.toThrow(/address/)
      expect(await proxy.syncMachines(['203.0.113.7'])).toBe(true)
      await proxy.set(there)
      expect(await proxy.syncMachines(['203.0.113.7'])).toBe(false)
      await proxy.remove('a.example.com')
      await proxy.syncMachines([])
      await expect(proxy.set(there)).rejects.toThrow(/address/)
    })

    test('a host can be excluded from the wildcard', async () => {
      await proxy.set(route('*.example.com', first))
      await proxy.set(route('a.example.com', { kind: 'nothing' }))
      expect(await harness.answer('a.example.com', '/')).toBe('nobody')
      expect(await harness.answer('b.example.com', '/')).toBe(name(first))
    })

    test('an exact host wins over a wildcard, which covers one label', async () => {
      await proxy.set(route('*.example.com', first))
      await proxy.set(route('a.example.com', { kind: 'stopped' }))
      expect(await harness.answer('b.example.com', '/')).toBe(name(first))
      expect(await harness.answer('a.example.com', '/')).toBe('stopped')
      expect(await harness.answer('example.com', '/')).toBe('nobody')
      expect(await harness.answer('b.c.example.com', '/')).toBe('nobody')
      expect(await harness.answer('bexample.com', '/')).toBe('nobody')
    })

    test('the longest prefix wins in any order and ends at a slash', async () => {
      await proxy.set(route('a.example.com', { kind: 'starting' }, '/app/v2'))
      await proxy.set(route('a.example.com', first))
      await proxy.set(route('a.example.com', second, '/app'))
      expect(await harness.answer('a.example.com', '/app')).toBe(name(second))
      expect(await harness.answer('a.example.com', '/app/')).toBe(name(second))
      expect(await harness.answer('a.example.com', '/app/x')).toBe(name(second))
      expect(await harness.answer('a.example.com', '/app/v2/x')).toBe('starting')
      expect(await harness.answer('a.example.com', '/app/v20')).toBe(name(second))
      expect(await harness.answer('a.example.com', '/apple')).toBe(name(first))
      await proxy.remove('a.example.com', '/app')
      expect(await harness.answer('a.example.com', '/app/x')).toBe(name(first))
      expect(await harness.answer('a.example.com', '/app/v2')).toBe('starting')
    })

    test('other paths of a host with only a prefix go to the wildcard', async () => {
      await proxy.sync([route('a.example.com', first, '/app'), route('*.example.com', second)])
      expect(await harness.answer('a.example.com', '/app/x')).toBe(name(first))
      expect(await harness.answer('a.example.com', '/')).toBe(name(second))
    })

    test('sync serves exactly the given routes and reports changes', async () => {
      await proxy.set(route('old.example.com', first))
      const wanted = [
        route('a.example.com', first),
        route('a.example.com', second, '/b'),
        route('*.example.org', second)
      ]
      expect(await proxy.sync(wanted)).toBe(true)
      expect(await proxy.sync(wanted.toReversed())).toBe(false)
      expect(await harness.answer('old.example.com', '/')).toBe('nobody')
      expect(await harness.answer('a.example.com', '/b')).toBe(name(second))
      expect(await harness.answer('x.example.org', '/')).toBe(name(second))
      await proxy.remove('*.example.org')
      expect(await proxy.sync(wanted)).toBe(true)
      expect(await harness.answer('x.example.org', '/')).toBe(name(second))
    })

    test('concurrent changes all count, and the last one per route wins', async () => {
      const numbers = Array.from({ length: 60 }, (_, index) => index)
      await Promise.all([
        ...numbers.map((number) => proxy.set(route(`n${number}.example.com`, first))),
        proxy.sync([route('kept.example.com', first)]),
        ...numbers.slice(0, 5).map((number) => proxy.set(route(`n${number}.example.com`, first))),
        proxy.set(route('n1.example.com', second)),
        proxy.remove('n2.example.com')
      ])
      expect(await harness.answer('kept.example.com', '/')).toBe(name(first))
      expect(await harness.answer('n0.example.com', '/')).toBe(name(first))
      expect(await harness.answer('n1.example.com', '/')).toBe(name(second))
      expect(await harness.answer('n2.example.com', '/')).toBe('nobody')
      expect(await harness.answer('n7.example.com', '/')).toBe('nobody')
      await Promise.all(numbers.map((number) => proxy.set(route(`n${number}.example.com`, second))))
      for (const number of numbers) expect(await harness.answer(`n${number}.example.com`, '/')).toBe(name(second))
      expect(await harness.answer('kept.example.com', '/')).toBe(name(first))
    })

    test.each(hostileRoutes)('refuses %s and keeps the routes', async (_, change) => {
      await proxy.set(route('a.example.com', first))
      const hostile = change({ ...route('b.example.com', first), pathPrefix: '/x' }, harness.gateway)
      await expect(proxy.set(hostile)).rejects.toMatchObject({ name: 'RouteRefusedError' })
      await expect(proxy.sync([hostile])).rejects.toMatchObject({ name: 'RouteRefusedError' })
      expect(await proxy.sync([route('a.example.com', first)])).toBe(false)
      expect(await harness.answer('a.example.com', '/')).toBe(name(first))
    })

    test('refuses duplicate keys', async () => {
      const twice = [route('a.example.com', first), route('a.example.com', second)]
      await expect(proxy.sync(twice)).rejects.toMatchObject({ name: 'RouteRefusedError' })
    })

    test('counts no connections to an idle container', async () => {
      expect(await proxy.connectionCount(first.address, 9)).toBe(0)
    })

    test('a hanging proxy is REVERSE_PROXY_UNAVAILABLE and recovers', async () => {
      const unavailable = { kind: 'reverse-proxy-unavailable' }
      await proxy.set(route('a.example.com', first))
      await harness.whileHanging(async () => {
        await expect(proxy.ping()).rejects.toMatchObject(unavailable)
        await expect(proxy.set(route('b.example.com', first))).rejects.toMatchObject(unavailable)
        await expect(proxy.remove('c.example.com')).rejects.toMatchObject(unavailable)
        await expect(proxy.sync([])).rejects.toMatchObject(unavailable)
      })
      await proxy.sync([route('a.example.com', second)])
      await proxy.set(route('b.example.com', second))
      expect(await harness.answer('a.example.com', '/')).toBe(name(second))
      expect(await harness.answer('b.example.com', '/')).toBe(name(second))
    })

    describeCertificates(() => harness)
  })
}

type Change = (route: Route, gateway: string) => Route

const withHost =
  (hostname: string): Change =>
  (route) => ({ ...route, hostname })
const withPrefix =
  (pathPrefix: string): Change =>
  (route) => ({ ...route, pathPrefix })
const withAddress =
  (address: string): Change =>
  (route) => ({
    ...route,
    target: { kind: 'container', address, port: 80 }
  })
const withPort =
  (port: number): Change =>
  (route, gateway) => ({
    ...route,
    target:
      route.target.kind === 'container' ? { ...route.target, port } : { kind: 'container', address: gateway, port }
  })

const hostileRoutes: [string, Change][] = [
  ...[
    '',
    'localhost',
    'A.example.com',
    'a.example.com.',
    'a..example.com',
    '-a.example.com',
    'a-.example.com',
    'a_b.example.com',
    'a.example.com:80',
    'a.example.com/',
    'a.example.com\n',
    'a.example.com\nb.example.com/ 10.0.0.1:80:0',
    'a.example.com; clear map',
    'a.example.com`',
    'a b.example.com',
    'a.example.com\0',
    'ä.example.com',
    '*.*.example.com',
    '*',
    '*.com',
    'a.*.example.com',
    '*a.example.com',
    '#1.example.com',
    '10.0.0.1',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(144)}example.com`
  ].map((hostname): [string, Change] => [`the host ${JSON.stringify(hostname).slice(0, 40)}`, withHost(hostname)]),
  ...[
    '',
    '/',
    '//',
    'a',
    '/a/',
    '/a//b',
    '/a`) || Host(`victim`',
    '/a"b',
    '/a\nb',
    '/a\n',
    '/a;b',
    '/a b',
    '/..',
    '/.',
    '/a/../b',
    '/a/.',
    '%2e',
    '/%2e',
    '/a?b',
    '/a#b',
    '/a\\b',
    '/ä',
    '/a\0',
    `/${'a'.repeat(4_096)}`
  ].map((prefix): [string, Change] => [`the prefix ${JSON.stringify(prefix).slice(0, 40)}`, withPrefix(prefix)]),
  ...[
    '',
    '0.0.0.0',
    '255.255.255.255',
    '01.2.3.4',
    '1.2.3',
    '::1',
    'localhost',
    '10.0.0.1\n',
    '10.0.0.1 ',
    'panel'
  ].map((address): [string, Change] => [`the address ${JSON.stringify(address)}`, withAddress(address)]),
  ['the gateway', (route, gateway) => withAddress(gateway)(route, gateway)],
  ...[0, -1, 65_536, 1.5, Number.NaN].map((port): [string, Change] => [`the port ${port}`, withPort(port)])
]
