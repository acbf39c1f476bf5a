import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPublicDns, type ResolverOptions } from '../src/infra/public-dns/resolvers.ts'
import { type FakeResolver, startFakeResolver } from './support/fake-resolver.ts'

const name = 'shop.example'

describe('delegatedNameservers', () => {
  let resolver: FakeResolver
  /** Two servers of the parent zone on the same port. */
  let parent: FakeResolver
  let otherParent: FakeResolver
  beforeAll(async () => {
    resolver = await startFakeResolver('127.0.0.11')
    parent = await startFakeResolver('127.0.0.12')
    otherParent = await startFakeResolver('127.0.0.13', parent.port)
  })
  afterAll(() => Promise.all([resolver.close(), parent.close(), otherParent.close()]))
  beforeEach(() => {
    for (const fake of [resolver, parent, otherParent]) fake.reset()
    resolver.set(name, 'NS', { rcode: 'SERVFAIL' })
    resolver.set('example', 'NS', { values: ['a.nic.example', 'b.nic.example'] })
    resolver.set('a.nic.example', 'A', { values: ['127.0.0.12'] })
    resolver.set('b.nic.example', 'A', { values: ['127.0.0.13'] })
  })
  const ask = (requested = name, options: Partial<ResolverOptions> = {}) =>
    createPublicDns({
      resolvers: [resolver.address],
      authorityPort: parent.port,
      isAllowedAuthority: () => true,
      ...options
    }).delegatedNameservers(requested)
  const referral = (owner: string, ...hosts: string[]) => ({
    authorities: hosts.map((data) => ({ type: 'NS', name: owner, class: 'IN', ttl: 60, data }) as const)
  })

  test('are those that the parent zone’s servers refer to', async () => {
    parent.set(name, 'NS', referral('Shop.Example', 'NS2.panel.example', 'ns1.panel.example'))
    expect(await ask('Shop.Example.')).toEqual(['ns1.panel.example', 'ns2.panel.example'])
    expect(parent.queries).toEqual([{ name, type: 'NS', protocol: 'udp', recursionDesired: false }])
    expect(resolver.queries).not.toContainEqual(expect.objectContaining({ name }))
  })

  test('also if a server hosts both zones', async () => {
    parent.set(name, 'NS', { values: ['ns1.panel.example'] })
    expect(await ask()).toEqual(['ns1.panel.example'])
  })

  test('are found several labels up', async () => {
    parent.set('a.b.shop.example', 'NS', referral('a.b.shop.example', 'ns1.panel.example'))
    resolver.set('b.shop.example', 'NS', {})
    expect(await ask('a.b.shop.example')).toEqual(['ns1.panel.example'])
  })

  test('a referral for another name is ignored', async () => {
    parent.set(`www.${name}`, 'NS', referral(name, 'ns1.panel.example'))
    expect(await ask(`www.${name}`)).toEqual([])
  })

  test.each([
    ['does not answer', { drop: true }],
    ['refuses', { rcode: 'REFUSED' }],
    ['knows nothing of it yet', { rcode: 'NXDOMAIN' }],
    ['is an attacker’s', { forged: ['id', 'question', 'garbage'], drop: true }]
  ] as const)('one server %s: another one is used', async (_what, rule) => {
    parent.set(name, 'NS', rule)
    otherParent.set(name, 'NS', referral(name, 'ns1.panel.example'))
    expect(await ask(name, { timeoutMs: 300 })).toEqual(['ns1.panel.example'])
  })

  test('a long referral uses TCP', async () => {
    const hosts = Array.from({ length: 13 }, (_, i) => `ns${10 + i}.${'x'.repeat(60)}.${'y'.repeat(60)}.example`)
    parent.set(name, 'NS', referral(name, ...hosts))
    otherParent.set(name, 'NS', { truncate: true, ...referral(name, ...hosts) })
    expect(await ask()).toEqual(hosts)
    expect([...parent.queries, ...otherParent.queries].map(({ protocol }) => protocol).sort()).toEqual(
      ['tcp', 'tcp', 'udp', 'udp'].sort()
    )
  })

  test('a silent resolver blocks nothing', async () => {
    const dead = await startFakeResolver('127.0.0.11')
    dead.fallback = { drop: true }
    parent.set(name, 'NS', referral(name, 'ns1.panel.example'))
    // Waiting for it would use up the whole timeout.
    const limits = { timeoutMs: 5_000, delegationTimeoutMs: 4_000 }
    expect(await ask(name, { resolvers: [dead.address, resolver.address], ...limits })).toEqual(['ns1.panel.example'])
    await dead.close()
  })

  test('there is an overall timeout', async () => {
    resolver.fallback = { drop: true }
    resolver.set('example', 'NS', { drop: true })
    expect(await ask(`a.b.c.d.e.f.${name}`, { timeoutMs: 5_000, delegationTimeoutMs: 100 })).toEqual([])
  })

  test('at most three servers are queried', async () => {
    const hosts = ['a', 'b', 'c', 'd', 'e'].map((label) => `${label}.nic.example`)
    resolver.set('example', 'NS', { values: hosts })
    for (const host of hosts) resolver.set(host, 'A', { values: ['127.0.0.12'] })
    await ask()
    expect(parent.queries).toHaveLength(3)
  })

  test('private server addresses are not queried', async () => {
    parent.set(name, 'NS', referral(name, 'ns1.panel.example'))
    const { authorityPort, resolvers } = { authorityPort: parent.port, resolvers: [resolver.address] }
    expect(await createPublicDns({ resolvers, authorityPort }).delegatedNameservers(name)).toEqual([])
    expect(await ask(name, { isAllowedAuthority: (address) => address === '127.0.0.13' })).toEqual([])
    expect(parent.queries).toEqual([])
    expect(otherParent.queries).toHaveLength(1)
  })

  test.each(['example', '', '.', 'a..b', '*'])('%j has none', async (requested) => {
    expect(await ask(requested)).toEqual([])
  })
})
