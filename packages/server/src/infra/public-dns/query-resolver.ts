import { isIP, isIPv6 } from 'node:net'
import { exchange, type ServerAddress } from './dns-exchange.ts'
import { DnsFailure, failureCode } from './dns-failure.ts'
import { lookupTypes } from './lookup-types.ts'
import type { Lookup, LookupType } from './public-dns.ts'
import { queryName } from './query-name.ts'

const tries = 2

export async function queryResolver(
  resolver: string,
  name: string,
  type: LookupType,
  timeoutMs: number
): Promise<Lookup> {
  const startedAt = performance.now()
  const query = queryName(name)
  let error = 'BAD_NAME'
  for (let left = query === undefined ? 0 : tries; left > 0; left--) {
    try {
      const values = await queryOnce(resolver, query!, type, timeoutMs)
      return { resolver, values, error: null, latencyMs: millisecondsSince(startedAt) }
    } catch (failure) {
      error = failureCode(failure)
      if (error !== 'TIMEOUT') break
    }
  }
  return { resolver, values: [], error, latencyMs: millisecondsSince(startedAt) }
}

const millisecondsSince = (startedAt: number) => Math.round(performance.now() - startedAt)

async function queryOnce(resolver: string, name: string, type: LookupType, timeoutMs: number): Promise<string[]> {
  const { code, fromWire } = lookupTypes[type]
  const answer = await exchange(serverAddress(resolver), { name, code, recursionDesired: true }, timeoutMs)
  if (answer.rcode !== 'NOERROR') throw new DnsFailure(answer.rcode)
  const found = answer.answers.filter((record) => record.code === code)
  if (found.length === 0) throw new DnsFailure('NODATA')
  try {
    return found.map(({ rdata }) => fromWire(rdata))
  } catch (cause) {
    throw new DnsFailure('BAD_RESPONSE', { cause })
  }
}

function serverAddress(text: string): ServerAddress {
  if (isIPv6(text)) return { address: text, port: 53 }
  const [, six, four, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
  const address = six ?? four ?? ''
  // A hostname would be looked up by the host's own resolver.
  if (isIP(address) === 0) throw new DnsFailure('FAILED')
  return { address, port: Number(port) }
}
