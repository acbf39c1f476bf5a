import type { FirewallRule, FirewallRuleset } from '@panel/contract/firewall'
import { describe, expect, test } from 'vitest'
import { decide, filterOf, findLockout, isSameFilter, listPresets } from './firewall-rules.policy.ts'

const rule = (values: Partial<FirewallRule> = {}): FirewallRule => ({
  action: 'ALLOW',
  protocol: 'TCP',
  ports: [],
  source: null,
  note: '',
  enabled: true,
  ...values
})
const ruleset = (rules: FirewallRule[], values: Partial<FirewallRuleset> = {}): FirewallRuleset => ({
  enabled: true,
  defaultAction: 'DENY',
  rules,
  ...values
})
const deny = { action: 'DENY' } as const

describe('what a connection meets', () => {
  const ann = { source: '203.0.113.7', protocol: 'TCP', port: 443 } as const
  test.each<[string, FirewallRule[], 'ALLOW' | 'DENY']>([
    ['no rule', [], 'DENY'],
    ['a rule for everyone', [rule()], 'ALLOW'],
    ['a disabled rule', [rule({ enabled: false })], 'DENY'],
    ['its port', [rule({ ports: ['80', '443'] })], 'ALLOW'],
    ['another port', [rule({ ports: ['80'] })], 'DENY'],
    ['a range', [rule({ ports: ['400-500'] })], 'ALLOW'],
    ['another protocol', [rule({ protocol: 'UDP' })], 'DENY'],
    ['both protocols', [rule({ protocol: 'TCP_UDP' })], 'ALLOW'],
    ['every protocol', [rule({ protocol: 'ANY' })], 'ALLOW'],
    ['its address', [rule({ source: '203.0.113.7' })], 'ALLOW'],
    ['its network', [rule({ source: '203.0.113.9/24' })], 'ALLOW'],
    ['another network', [rule({ source: '198.51.100.0/24' })], 'DENY'],
    ['an IPv6 network', [rule({ source: '::/0' })], 'DENY'],
    ['the first of two rules', [rule({ ...deny, source: '203.0.113.7' }), rule()], 'DENY'],
    ['the other order', [rule(), rule({ ...deny, source: '203.0.113.7' })], 'ALLOW']
  ])('%s', (_, rules, expected) => {
    expect(decide(ruleset(rules), ann)).toBe(expected)
  })

  test('IPv6', () => {
    const only = ruleset([rule({ source: '2001:db8::/32' })])
    expect(decide(only, { ...ann, source: '2001:db8::7' })).toBe('ALLOW')
    expect(decide(only, { ...ann, source: '2001:db9::7' })).toBe('DENY')
  })
})

describe('lock-out', () => {
  const caller = { peer: '203.0.113.7', client: '203.0.113.7', panelPort: 443 }
  const web = rule({ ports: ['443'] })
  const ssh = rule({ ports: ['22'] })
  test.each([
    ['nothing is open', [], 'PANEL'],
    ['SSH is closed', [web], 'SSH'],
    ['both are open', [web, ssh], undefined],
    ['both are open to the address', [rule({ source: '203.0.113.0/24' })], undefined],
    ['the address is denied first', [rule({ ...deny, source: '203.0.113.7' }), web, ssh], 'PANEL'],
    ['only another address is denied', [rule({ ...deny, source: '203.0.113.8' }), web, ssh], undefined]
  ] as const)('%s', (_, rules, service) => {
    expect(findLockout(ruleset([...rules]), caller, [22])?.service).toBe(service)
  })

  test('a disabled firewall causes no lockout', () => {
    expect(findLockout(ruleset([], { enabled: false }), caller, [22])).toBeUndefined()
  })

  test('the panel takes the address of the proxy in front, SSH that of the client', () => {
    const behindProxy = { ...caller, peer: '198.51.100.1' }
    const rules = [rule({ ports: ['443'], source: '198.51.100.1' }), rule({ ports: ['22'], source: '203.0.113.7' })]
    expect(findLockout(ruleset(rules), behindProxy, [22])).toBeUndefined()
    expect(findLockout(ruleset(rules), caller, [22])).toEqual({ service: 'PANEL', address: '203.0.113.7', port: 443 })
  })

  test('addresses of dual-stack sockets are IPv4, and loopback always passes', () => {
    const mapped = { ...caller, peer: '::ffff:203.0.113.7', client: '::ffff:203.0.113.7' }
    expect(findLockout(ruleset([rule({ source: '203.0.113.7' })]), mapped, [22])).toBeUndefined()
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(findLockout(ruleset([]), { ...caller, peer: address, client: address }, [22])).toBeUndefined()
  })
})

test('only what the packet filter sees is a change to it', () => {
  const one = ruleset([rule({ note: 'web' }), rule({ enabled: false })])
  expect(isSameFilter(one, ruleset([rule({ note: 'other' })]))).toBe(true)
  expect(isSameFilter(one, ruleset([rule({ ports: ['80'] })]))).toBe(false)
  expect(isSameFilter(one, { ...one, enabled: false })).toBe(false)
  expect(filterOf({ ...one, enabled: false })).toBeUndefined()
})

describe('presets', () => {
  const config = {
    DNS_PORT: 53,
    IMAPS_PORT: 993,
    IMAP_PORT: 143,
    MAIL: true,
    MANAGESIEVE_PORT: 4190,
    PORT: 3000,
    PROXY_HTTPS_PORT: 443,
    PROXY_HTTP_PORT: 80,
    SFTP_PORT: 22,
    SMTP_PORT: 25,
    SUBMISSIONS_PORT: 465,
    SUBMISSION_PORT: 587,
    TCP_PORTS: 'off'
  }
  const services = (all: ReturnType<typeof listPresets>) => all.map(({ service }) => service)

  test('list what the server runs', () => {
    const all = ['SSH', 'WEB', 'PANEL', 'DNS', 'SMTP', 'SUBMISSION', 'IMAP', 'MANAGESIEVE']
    expect(services(listPresets(config, [22], ruleset([])))).toEqual(all)
    expect(services(listPresets({ ...config, MAIL: false }, [], ruleset([])))).toEqual(['WEB', 'PANEL', 'SFTP', 'DNS'])
  })

  test('have the published TCP ports as a range', () => {
    const all = listPresets({ ...config, TCP_PORTS: '20000-20099', TCP_TLS_PORT: 20_200 }, [], ruleset([]))
    expect(all.find(({ service }) => service === 'TCP_PORTS')?.ports).toEqual(['20000-20099', '20200'])
  })

  test('tell which are open to everyone', () => {
    const rules = [
      rule({ ...deny, source: '198.51.100.7', ports: ['53'] }),
      rule({ ports: ['80', '443'] }),
      rule({ ports: ['22'], source: '203.0.113.0/24' }),
      rule({ protocol: 'TCP_UDP', ports: ['53'] })
    ]
    const open = listPresets(config, [22], ruleset(rules)).filter((preset) => preset.open)
    expect(services(open)).toEqual(['WEB'])
  })
})
