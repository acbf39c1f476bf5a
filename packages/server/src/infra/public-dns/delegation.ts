import { exchange } from './dns-exchange.ts'
import type { DnsAnswer } from './dns-message.ts'
import { lookupTypes } from './lookup-types.ts'
import type { LookupType } from './public-dns.ts'
import { queryName } from './query-name.ts'

interface DelegationOptions {
  /** What the resolvers say; empty where none has a value. */
  resolve(name: string, type: LookupType): Promise<string[]>
  /** Whether an address that a stranger's zone names may be asked. */
  isAllowed(address: string): boolean
  /** Of the zones' servers. */
  port: number
  /** For each server. */
  timeoutMs: number
  signal: AbortSignal
}

const maxServers = 3

/** The name servers that the parent zone's servers name for the name; empty where none does. */
export async function findDelegation(name: string, options: DelegationOptions): Promise<string[]> {
  const query = queryName(name)
  if (query === undefined) return []
  const addresses = await parentServers(query, options)
  const found = await Promise.all(addresses.map((address) => queryParent(address, query, options)))
  // The first that names any: another one may not have heard of the delegation yet.
  return found.find((nameservers) => nameservers.length > 0) ?? []
}

/** Addresses of servers of the zone above: the next name up that has name servers. */
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
    return [] // One server that does not answer leaves it to the others.
  }
}

/** A referral has them in the authority section; a server that serves both zones answers with them. */
function nameserversIn(answer: DnsAnswer, name: string): string[] {
  if (answer.rcode !== 'NOERROR') return []
  const { code, fromWire } = lookupTypes.NS
  const names = [...answer.answers, ...answer.authorities]
    .filter((record) => record.code === code && record.name === name)
    .map(({ rdata }) => fromWire(rdata))
  return [...new Set(names)].sort()
}
