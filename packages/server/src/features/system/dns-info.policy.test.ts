import { describe, expect, test } from 'vitest'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { dnsInfoOf, verifiedRecord } from './dns-info.policy.ts'

const config = { PANEL_DOMAIN: 'panel.example.com', BASE_DOMAIN: 'apps.example.com', PUBLIC_IP: '203.0.113.5' }

describe('dnsInfoOf', () => {
  test('the panel’s names and the wildcard of the projects, all to the public address', () => {
    const info = dnsInfoOf(config)
    expect(info).toMatchObject({ publicIp: '203.0.113.5', domain: 'panel.example.com', baseDomain: 'apps.example.com' })
    expect(info.records.map(({ type, name, value }) => [type, name, value])).toEqual([
      ['A', 'panel.example.com', '203.0.113.5'],
      ['A', 'api.panel.example.com', '203.0.113.5'],
      ['A', 'webmail.panel.example.com', '203.0.113.5'],
      ['A', '*.apps.example.com', '203.0.113.5']
    ])
    expect(info.records.every(({ purpose }) => /\S/.test(purpose))).toBe(true)
  })

  test.each([
    [{ PANEL_DOMAIN: undefined }, { publicIp: '203.0.113.5', domain: null }],
    [{ PUBLIC_IP: undefined }, { publicIp: null, domain: 'panel.example.com' }],
    [
      { PANEL_DOMAIN: undefined, PUBLIC_IP: undefined },
      { publicIp: null, domain: null }
    ]
  ])('with %j there are none', (missing, values) => {
    expect(dnsInfoOf({ ...config, ...missing })).toEqual({ ...values, baseDomain: 'apps.example.com', records: [] })
  })
})

describe('verifiedRecord', () => {
  const record = { type: 'A', name: '*.apps.example.com', value: '203.0.113.5', purpose: 'Projects' } as const
  const lookup = (values: string[], error: string | null = null): Lookup => ({
    resolver: '192.0.2.1',
    values,
    error,
    latencyMs: 4
  })
  const ours = lookup(['203.0.113.5'])
  const both = lookup(['198.51.100.9', '203.0.113.5'])
  const other = lookup(['198.51.100.9'])
  const none = lookup([], 'NXDOMAIN')
  const late = lookup([], 'TIMEOUT')
  const [live, elsewhere, missing] = ['Live', 'Not pointed here yet', 'Not found']

  test.each<[string, Lookup[], string | undefined, (string | undefined)[]]>([
    ['all see it', [ours, ours, ours], live, [live, live, live]],
    ['one sees it', [none, other, ours], live, [missing, elsewhere, live]],
    ['it is one of several', [both], live, [live]],
    ['one sees another address', [none, other, late], elsewhere, [missing, elsewhere, missing]],
    ['none sees any', [none, late], missing, [missing, missing]],
    ['no resolver was queried', [], missing, []]
  ])('%s', (_what, lookups, state, states) => {
    const result = verifiedRecord(record, lookups)
    expect(result).toMatchObject({ ...record, state, probedName: 'panel-probe.apps.example.com' })
    expect(result.resolvers.map((one) => one.state)).toEqual(states)
  })

  test('what a resolver said is passed on', () => {
    expect(verifiedRecord(record, [late]).resolvers).toEqual([
      { resolver: '192.0.2.1', state: missing, values: [], latencyMs: 4, error: 'TIMEOUT' }
    ])
  })
})
