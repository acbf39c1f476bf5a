import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublicDns } from '../../src/infra/public-dns/public-dns.ts'

interface PublicDnsEnvironment {
  dns: PublicDns
  /** Three, in their order. */
  resolvers: readonly string[]
  /** Of addresses, at every resolver or at one; an empty list: the name has none of the type. */
  setAddresses(name: string, addresses: readonly string[], resolver?: string): void
  /** Every lookup of this resolver is refused. */
  refuse(resolver: string): void
  /** The parent zone names these name servers. */
  delegate(name: string, nameservers: readonly string[]): void
  close(): Promise<void>
}

/** One behaviour, whoever answers. */
export function describePublicDns(name: string, open: () => Promise<PublicDnsEnvironment>): void {
  describe(`public DNS: ${name}`, () => {
    let environment: PublicDnsEnvironment
    beforeAll(async () => {
      environment = await open()
    })
    afterAll(() => environment?.close())
    const answers = async (host: string) =>
      (await environment.dns.lookUp(host, 'A')).map(({ resolver, values, error }) => ({ resolver, values, error }))

    test('every resolver is asked, and answers in the order of the configuration', async () => {
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

    test('a name is the same in capitals', async () => {
      environment.setAddresses('case.example', ['192.0.2.4'])
      expect(await answers('CASE.Example')).toEqual(await answers('case.example'))
    })

    test('a name without such a record is told from no such name', async () => {
      environment.setAddresses('empty.example', [])
      expect((await answers('empty.example')).map(({ error }) => error)).toEqual(['NODATA', 'NODATA', 'NODATA'])
      expect((await answers('absent.example')).map(({ error }) => error)).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN'])
    })

    test('the name servers of a delegation come in lower case, sorted; of none, none', async () => {
      environment.delegate('moved.example', ['NS2.hosting.test', 'ns1.hosting.test'])
      expect(await environment.dns.delegatedNameservers('moved.example')).toEqual([
        'ns1.hosting.test',
        'ns2.hosting.test'
      ])
      expect(await environment.dns.delegatedNameservers('stayed.example')).toEqual([])
    })

    test('a resolver that refuses does so alone, and no lookup rejects', async () => {
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
