import { exchange } from './dns-exchange.ts'
import type { DnsAnswer } from './dns-message.ts'
import { lookupTypes } from './lookup-types.ts'
import type { LookupType } from './public-dns.ts'
import { queryName } from './query-name.ts'

interface DelegationOptions {
  resolve(name: string, type: LookupType): Promise<string[]>
  isAllowed(address: string): boolean
  port: number
  timeoutMs: number
  signal: AbortSignal
}

const maxServers = 3

/** NS records of a name at its parent zone's servers; empty if not delegated. */
export async function findDelegation(name: string, options: DelegationOptions): Promise<string[]> {
  const query = queryName(name)
  if (query === undefined) return []
  const addresses = await parentServers(query, options)
  const found = await Promise.all(addresses.map((address) => queryParent(address, query, options)))
  // First non-empty answer: some servers may not have the delegation yet.
  return found.find((nameservers) => nameservers.length > 0) ?? []
}

async function parentServers(name: string, options: DelegationOptions): Promise<string[]> {
  const labels = name.split('.')
  for (let cut = 1; cut < labels.length && !options.signal.aborted; cut++) {
    const nameservers = await options.resolve(labels.slice(cut).join('.'), 'NS')
    if (nameservers.length === 0) continue
    const found = await Promise.all(nameservers.slice(0, maxServers).map((host) => addressOf(host, options)))
    return found.filter((address) => address !== undefined)
  }
  return []
}

async function addressOf(host: string, { resolve, isAllowed }: DelegationOptions): Promise<string | undefined> {
  return (await resolve(host, 'A')).find(isAllowed) ?? (await resolve(host, 'AAAA')).find(isAllowed)
}

async function queryParent(address: string, name: string, options: DelegationOptions): Promise<string[]> {
  const question = { name, code: lookupTypes.NS.code, recursionDesired: false }
  try {
    return nameserversIn(await exchange({ address, port: options.port }, question, options.timeoutMs), name)
  } catch {
    return [] // Another server may respond.
  }
}

/** A referral has NS records in the authority section; a server of both zones has them in the answer section. */
function nameserversIn(answer: DnsAnswer, name: string): string[] {
  if (answer.rcode !== 'NOERROR') return []
  const { code, fromWire } = lookupTypes.NS
  const names = [...answer.answers, ...answer.authorities]
    .filter((record) => record.code === code && record.name === name)
    .map(({ rdata }) => fromWire(rdata))
  return [...new Set(names)].sort()
}
