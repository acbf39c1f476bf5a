import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublicDns } from '../../src/infra/public-dns/public-dns.ts'

interface PublicDnsEnvironment {
  dns: PublicDns
  resolvers: readonly string[]
  /** Sets addresses at all resolvers or one; an empty list is NODATA. */
  setAddresses(name: string, addresses: readonly string[], resolver?: string): void
  refuse(resolver: string): void
  delegate(name: string, nameservers: readonly string[]): void
  close(): Promise<void>
}

/** Contract of every PublicDns. */
export function describePublicDns(name: string, open: () => Promise<PublicDnsEnvironment>): void {
  describe(`public DNS: ${name}`, () => {
    let environment: PublicDnsEnvironment
    beforeAll(async () => {
      environment = await open()
    })
    afterAll(() => environment?.close())
    const answers = async (host: string) =>
      (await environment.dns.lookUp(host, 'A')).map(({ resolver, values, error }) => ({ resolver, values, error }))

    test('queries every resolver and returns results in configuration order', async () => {
      const [first, second, third] = environment.resolvers
      environment.setAddresses('shop.example', ['192.0.2.1', '192.0.2.2'])
      environment.setAddresses('shop.example', ['192.0.2.3'], second!)
      expect(await answers('shop.example')).toEqual([
        { resolver: first, values: ['192.0.2.1', '192.0.2.2'], error: null },
        { resolver: second, values: ['192.0.2.3'], error: null },
        { resolver: third, values: ['192.0.2.1', '192.0.2.2'], error: null }
      ])
      for (const { latencyMs } of await environment.dns.lookUp('shop.example', 'A'))
        expect(latencyMs).toSatisfy(Number.isInteger)
    })

    test('names are case-insensitive', async () => {
      environment.setAddresses('case.example', ['192.0.2.4'])
      expect(await answers('CASE.Example')).toEqual(await answers('case.example'))
    })

    test('tells NODATA from NXDOMAIN', async () => {
      environment.setAddresses('empty.example', [])
      expect((await answers('empty.example')).map(({ error }) => error)).toEqual(['NODATA', 'NODATA', 'NODATA'])
      expect((await answers('absent.example')).map(({ error }) => error)).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN'])
    })

    test('delegation name servers are lowercase and sorted', async () => {
      environment.delegate('moved.example', ['NS2.hosting.test', 'ns1.hosting.test'])
      expect(await environment.dns.delegatedNameservers('moved.example')).toEqual([
        'ns1.hosting.test',
        'ns2.hosting.test'
      ])
      expect(await environment.dns.delegatedNameservers('stayed.example')).toEqual([])
    })

    test('one refusing resolver does not affect others, and lookups never reject', async () => {
      const [, second] = environment.resolvers
      environment.setAddresses('half.example', ['192.0.2.5'])
      environment.refuse(second!)
      expect((await answers('half.example')).map(({ values, error }) => [values, error])).toEqual([
        [['192.0.2.5'], null],
        [[], 'REFUSED'],
        [['192.0.2.5'], null]
      ])
    })
  })
}
