import { expect, test } from 'vitest'
import { renderAddedBans, renderAllBans } from './bans.render.ts'

const table = { table: 'panel_0123456789_bans', bridgePrefix: 'pn012345' }

test('renders all bans', () => {
  const bans = [
    { address: '203.0.113.7', seconds: 600 },
    { address: '203.0.113.8', seconds: null },
    { address: '2001:db8:0:0::/64', seconds: 3600 }
  ]
  expect(renderAllBans(table, bans)).toMatchInlineSnapshot(`
    "add table inet panel_0123456789_bans
    add set inet panel_0123456789_bans banned4 { type ipv4_addr; flags timeout; }
    add set inet panel_0123456789_bans banned6 { type ipv6_addr; flags timeout; }
    add chain inet panel_0123456789_bans incoming { type filter hook prerouting priority -102; policy accept; }
    flush chain inet panel_0123456789_bans incoming
    add rule inet panel_0123456789_bans incoming iifname "lo" accept
    add rule inet panel_0123456789_bans incoming iifname "pn012345*" accept
    add rule inet panel_0123456789_bans incoming ip saddr @banned4 ct direction original drop
    add rule inet panel_0123456789_bans incoming ip6 saddr & ffff:ffff:ffff:ffff:: @banned6 ct direction original drop
    flush set inet panel_0123456789_bans banned4
    flush set inet panel_0123456789_bans banned6
    add element inet panel_0123456789_bans banned4 { 203.0.113.7 timeout 600s, 203.0.113.8 }
    add element inet panel_0123456789_bans banned6 { 2001:db8:0:0:: timeout 3600s }
    "
  `)
})

test('without bans nothing is left', () => {
  expect(renderAllBans(table, [])).toBe(
    'add table inet panel_0123456789_bans\ndelete table inet panel_0123456789_bans\n'
  )
})

test('an added ban replaces the time of one that exists', () => {
  const elements = renderAddedBans(table, [{ address: '203.0.113.7', seconds: 60 }])
    .split('\n')
    .slice(-4)
  expect(elements).toEqual([
    'add element inet panel_0123456789_bans banned4 { 203.0.113.7 timeout 60s }',
    'delete element inet panel_0123456789_bans banned4 { 203.0.113.7 }',
    'add element inet panel_0123456789_bans banned4 { 203.0.113.7 timeout 60s }',
    ''
  ])
})

test.each([
  ['a network', { address: '203.0.113.0/24' }],
  ['another prefix', { address: '2001:db8::/48' }],
  ['an IPv6 address', { address: '2001:db8::7' }],
  ['a zone', { address: 'fe80::1%eth0/64' }],
  ['rules', { address: '1.1.1.1 } ; flush ruleset' }],
  ['IPv6 and rules', { address: '2001:db8::/64 } ; flush ruleset' }],
  ['no time', { seconds: 0 }],
  ['a fraction', { seconds: 1.5 }],
  ['no number', { seconds: Number.NaN }]
])('hostile values never become bans: %s', (_, values) => {
  const ban = { address: '203.0.113.7', seconds: 60, ...values }
  expect(() => renderAllBans(table, [ban])).toThrow(TypeError)
  expect(() => renderAddedBans(table, [ban])).toThrow(TypeError)
})

test('names', () => {
  for (const wrong of [{ table: 'a { }; flush ruleset' }, { bridgePrefix: 'a" accept #' }])
    expect(() => renderAddedBans({ ...table, ...wrong }, [])).toThrow(TypeError)
})
