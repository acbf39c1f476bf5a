import type { PublicDns } from '../../src/infra/public-dns/public-dns.ts'
import type { MemoryDnsServer } from './memory-dns-server.ts'

/** Responds to TXT queries over the network from given zones. */
export function createMemoryNameServers(
  dnsServer: Pick<MemoryDnsServer, 'fail' | 'files' | 'served'>
): Pick<PublicDns, 'lookUp'> {
  return {
    async lookUp(name, type) {
      const answer = (values: string[], error: string | null) => [{ resolver: 'memory', values, error, latencyMs: 1 }]
      if (type !== 'TXT') throw new Error('only TXT records are looked up in tests')
      if (dnsServer.fail) return answer([], 'TIMEOUT')
      const zone = [...dnsServer.served.keys()]
        .filter((each) => name === each || name.endsWith(`.${each}`))
        .toSorted((a, b) => b.length - a.length)[0]
      if (zone === undefined) return answer([], 'REFUSED')
      const owner = name === zone ? '@' : name.slice(0, -zone.length - 1)
      const values = (dnsServer.files.get(zone) ?? '').split('\n').flatMap((line) => {
        const [, at, text] = /^(\S+) \d+ IN TXT (.+)$/.exec(line) ?? []
        return at === owner ? [[...text!.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join('')] : []
      })
      return answer(values, values.length > 0 ? null : 'NXDOMAIN')
    }
  }
}
