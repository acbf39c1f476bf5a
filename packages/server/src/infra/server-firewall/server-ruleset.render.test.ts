import { describe, expect, test } from 'vitest'
import type { ServerRule } from './server-firewall.ts'
import { mergePorts, renderServerTable } from './server-ruleset.render.ts'

const table = { table: 'panel_0123456789_server', bridgePrefix: 'pn012345' }
const rule = (values: Partial<ServerRule> = {}): ServerRule => ({
  action: 'ALLOW',
  protocol: 'TCP',
  ports: [],
  source: null,
  ...values
})
const render = (...rules: ServerRule[]) => renderServerTable(table, { defaultAction: 'DENY', rules }).text

test('renders the complete table', () => {
  const rules = [
    rule({ ports: ['443', '80', '8000-8100'] }),
    rule({ source: '203.0.113.0/24', ports: ['22'] }),
    rule({ action: 'DENY', protocol: 'ANY', source: '2001:db8::/32' }),
    rule({ protocol: 'TCP_UDP', ports: ['53'] }),
    rule({ protocol: 'UDP' })
  ]
  expect(render(...rules)).toMatchInlineSnapshot(`
    "table inet panel_0123456789_server
    delete table inet panel_0123456789_server
    table inet panel_0123456789_server {
      chain ruleset_fc64e5825d4e16dd {
      }
      chain incoming {
        type filter hook prerouting priority -101
        policy accept
        iifname "lo" accept
        iifname "pn012345*" accept
        fib daddr type != { local, broadcast, multicast } accept
        ct state established,related accept
        icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, mld-listener-query, mld-listener-report, mld-listener-done, mld2-listener-report } accept
        udp sport 67 udp dport 68 accept
        ip6 saddr fe80::/10 udp sport 547 udp dport 546 accept
        meta l4proto tcp th dport { 80, 443, 8000-8100 } accept
        ip saddr 203.0.113.0/24 meta l4proto tcp th dport { 22 } accept
        ip6 saddr 2001:db8::/32 drop
        meta l4proto { tcp, udp } th dport { 53 } accept
        meta l4proto udp accept
        meta l4proto { icmp, igmp, ipv6-icmp } accept
        drop
      }
    }
    "
  `)
})

test('without a ruleset nothing is left', () => {
  expect(renderServerTable(table, undefined).text).toBe(
    'table inet panel_0123456789_server\ndelete table inet panel_0123456789_server\n'
  )
})

test('the chain name identifies the rules', () => {
  const chainOf = (...rules: ServerRule[]) => renderServerTable(table, { defaultAction: 'DENY', rules }).chain
  expect(chainOf(rule())).toBe(chainOf(rule()))
  expect(chainOf(rule())).not.toBe(chainOf(rule({ action: 'DENY' })))
})

test.each([
  [
    ['80', '443'],
    ['80', '443']
  ],
  [['8000-8100', '8050-8200', '8201'], ['8000-8201']],
  [
    ['443', '80', '443'],
    ['80', '443']
  ]
])('merges overlapping ports: %j', (ports, merged) => {
  expect(mergePorts(ports)).toEqual(merged)
})

describe('hostile values never become rules', () => {
  test.each([
    ['a source', { source: '0.0.0.0/0 accept; flush ruleset' }],
    ['a zone', { source: 'fe80::1%"; flush ruleset; #' }],
    ['a prefix', { source: '10.0.0.0/8 } ; flush ruleset' }],
    ['a too long prefix', { source: '10.0.0.0/33' }],
    ['an empty source', { source: '' }],
    ['ports', { ports: ['80 } accept; flush ruleset'] }],
    ['a reversed range', { ports: ['90-80'] }],
    ['a port out of range', { ports: ['65536'] }],
    ['port 0', { ports: ['0'] }],
    ['ports of every protocol', { protocol: 'ANY' as const, ports: ['80'] }]
  ])('%s', (_, values) => {
    expect(() => render(rule(values))).toThrow(TypeError)
  })

  test('names', () => {
    for (const wrong of [{ table: 'a { }; flush ruleset' }, { bridgePrefix: 'a" accept #' }])
      expect(() => renderServerTable({ ...table, ...wrong }, { defaultAction: 'DENY', rules: [] })).toThrow(TypeError)
  })
})
