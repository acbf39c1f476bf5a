import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { ServerAddress } from './dns-exchange.ts'
import { DnsFailure, failureCode } from './dns-failure.ts'
import type { Lookup, LookupType } from './public-dns.ts'
import { queryName } from './query-name.ts'
import { valuesOf } from './record-values.ts'

/** Packets get lost: an answer that does not come is asked for once more. */
const tries = 2

/** Asks one resolver; takes at most twice the time limit. Never rejects. */
export async function askResolver(
  resolver: string,
  name: string,
  type: LookupType,
  timeoutMs: number
): Promise<Lookup> {
  const startedAt = performance.now()
  const asked = queryName(name)
  let error = 'BAD_NAME'
  for (let left = asked === undefined ? 0 : tries; left > 0; left--) {
    try {
      const values = await askOnce(resolver, asked!, type, timeoutMs)
      return { resolver, values, error: null, latencyMs: millisecondsSince(startedAt) }
    } catch (failure) {
      error = failureCode(failure)
      if (error !== 'TIMEOUT') break
    }
  }
  return { resolver, values: [], error, latencyMs: millisecondsSince(startedAt) }
}

const millisecondsSince = (startedAt: number) => Math.round(performance.now() - startedAt)

/** A resolver object of its own for each call: nothing is cached, and no answer waits for another. */
async function askOnce(address: string, name: string, type: LookupType, timeoutMs: number): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  resolver.setServers([address])
  // c-ares starts its time anew when it turns to TCP.
  const limit = setTimeout(() => resolver.cancel(), timeoutMs)
  try {
    const values = await valuesOf[type]({ resolver, server: serverAddress(address), timeoutMs }, name)
    if (values.length === 0) throw new DnsFailure('NODATA')
    return values
  } finally {
    clearTimeout(limit)
  }
}

/** Of `ip`, `ip:port` and `[ip6]:port`, as DNS_RESOLVERS has them. */
function serverAddress(text: string): ServerAddress {
  if (isIPv6(text)) return { address: text, port: 53 }
  const [, six, four, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
  return { address: six ?? four ?? text, port: Number(port) }
}
