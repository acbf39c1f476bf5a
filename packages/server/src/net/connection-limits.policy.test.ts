import { expect, test } from 'vitest'
import { panelConnections, proxyLimits } from './connection-limits.policy.ts'

const gib = 2 ** 30

test.each([
  ['a small shell', 1_024, gib / 2, { strangers: 320, perAddress: 40, proxy: 128, live: 64 }],
  ['a usual one', 20_000, 24 * gib, { strangers: 6_250, perAddress: 781, proxy: 1_024, live: 1_250 }],
  ['the unit of systemd', 65_536, 4 * gib, { strangers: 16_384, perAddress: 2_048, proxy: 1_024, live: 4_096 }],
  ['many files and little memory', 65_536, gib / 4, { strangers: 1_024, perAddress: 128, proxy: 1_024, live: 4_096 }],
  ['no limit', Number.MAX_SAFE_INTEGER, 4 * gib, { strangers: 16_384, perAddress: 2_048, proxy: 1_024, live: 4_096 }],
  ['next to nothing', 64, gib, { strangers: 20, perAddress: 8, proxy: 8, live: 8 }]
])('the API’s connections with %s', (_, openFiles, memoryBytes, expected) => {
  expect(panelConnections({ openFiles, memoryBytes })).toEqual(expected)
})

test.each([
  ['a small shell', 1_024, gib / 2, { connections: 412, full: 309, siteRequests: 25, allSiteRequests: 309 }],
  ['a usual one', 20_000, 24 * gib, { connections: 9_900, full: 7_425, siteRequests: 618 }],
  ['the unit of systemd', 65_536, 8 * gib, { connections: 21_845, siteRequests: 1_365 }],
  ['many files and little memory', 65_536, gib, { connections: 2_730, siteRequests: 170 }],
  ['no limit', Number.MAX_SAFE_INTEGER, 64 * gib, { connections: 50_000, siteRequests: 2_000 }]
])('the proxy’s limits with %s', (_, openFiles, memoryBytes, expected) => {
  expect(proxyLimits({ openFiles, memoryBytes })).toMatchObject(expected)
})

test.each([1_024, 20_000, 65_536])('with %d open files the connections never use up all files', (openFiles) => {
  const panel = panelConnections({ openFiles, memoryBytes: 64 * gib })
  expect(panel.strangers + panel.proxy + panel.live).toBeLessThanOrEqual(openFiles / 2)
  const proxy = proxyLimits({ openFiles, memoryBytes: 64 * gib })
  expect(2 * proxy.connections + 100).toBeLessThan(openFiles)
  expect(proxy.allSiteRequests).toBeLessThan(proxy.connections)
  expect(proxy.perAddress.requests).toBeLessThanOrEqual(proxy.siteRequests)
  expect(proxy.siteRequests).toBeLessThan(proxy.allSiteRequests)
})
