import type { ExplainCode } from '@panel/contract/explain-texts'
import type { Sentence } from '@panel/contract/sentences'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { failed, ok, skipped } from './verdict.policy.ts'
import type { DnsObservations, Verdict } from './observations.types.ts'

const wait = { code: 'WAIT_FOR_DNS' } as const

export function delegationStep(seen: DnsObservations): Verdict {
  const { hostname, managed, nameServers, a, aaaa } = seen
  if (managed !== null) return managedDelegation(managed, hostname)
  const answers = [...a, ...aaaa]
  if (answers.length > 0 && answers.every(isUnanswered)) return skipped(silent(answers))
  if (nameServers !== null)
    return ok({ code: 'DELEGATED', values: { zone: nameServers.name, servers: [...nameServers.servers] } })
  if (isBroken(answers)) return failed(failing(hostname, answers), { code: 'CHECK_NAME_SERVERS' })
  if (answers.some(({ values }) => values.length > 0)) return ok({ code: 'NAME_RESOLVES', values: { hostname } })
  return failed({ code: 'DOMAIN_UNKNOWN', values: { hostname } }, { code: 'REGISTER_DOMAIN' })
}

function managedDelegation(managed: NonNullable<DnsObservations['managed']>, hostname: string): Verdict {
  const { zone, expected, lookups, delegated } = managed
  const found = [...new Set([...lookups.flatMap(({ values }) => values), ...delegated])].map(plain).toSorted()
  const servers = expected.map(plain)
  const isOurs = found.some((name) => servers.includes(name))
  if (isOurs && lookups.some(({ values }) => values.length > 0))
    return ok({ code: 'DELEGATED', values: { zone, servers: found } })
  if (isOurs && isBroken(lookups)) return failed(failing(hostname, lookups), { code: 'CHECK_NAME_SERVERS' })
  if (isOurs) return ok({ code: 'DELEGATED', values: { zone, servers: found } })
  if (found.length === 0 && lookups.length > 0 && lookups.every(isUnanswered) && !isBroken(lookups))
    return skipped(silent(lookups))
  const seen: Sentence<ExplainCode> =
    found.length > 0
      ? { code: 'NOT_DELEGATED', values: { zone, found } }
      : { code: 'NOT_DELEGATED_AT_ALL', values: { zone } }
  return failed(seen, { code: 'SET_NAME_SERVERS', values: { servers } }, wait)
}

export function addressStep(seen: DnsObservations): Verdict {
  const { hostname, a, aaaa, addresses, publicIp, publicIpv6 } = seen
  const answers = [...a, ...aaaa]
  if (addresses.length === 0) {
    // A name server that fails is the fault of the step before.
    if (!a.some(saysNone))
      return skipped(answers.every(isUnanswered) && !isBroken(answers) ? silent(answers) : { code: 'NOT_CHECKED' })
    return failed(
      { code: 'ADDRESS_MISSING', values: { hostname } },
      { code: 'ADD_ADDRESS', values: { hostname, publicIp } },
      wait
    )
  }
  const elsewhere = addresses.filter(({ owner }) => owner === 'elsewhere')
  const wrong = elsewhere.find(({ address }) => !isIpv6(address)) ?? elsewhere[0]
  if (wrong !== undefined) return wrongAddress(hostname, wrong.address, { publicIp, publicIpv6 })
  const all = addresses.map(({ address }) => address)
  return addresses.every(({ owner }) => owner === 'unknown')
    ? skipped({ code: 'ADDRESS_UNVERIFIED', values: { hostname, addresses: all } }, { code: 'SET_PUBLIC_IP' })
    : ok({ code: 'ADDRESS_HERE', values: { hostname, addresses: all } })
}

function wrongAddress(
  hostname: string,
  address: string,
  { publicIp, publicIpv6 }: Pick<DnsObservations, 'publicIp' | 'publicIpv6'>
): Verdict {
  const values = { hostname, address }
  if (!isIpv6(address))
    return failed({ code: 'ADDRESS_ELSEWHERE', values }, { code: 'CHANGE_ADDRESS', values: { publicIp } }, wait)
  const remedy: Sentence<ExplainCode> =
    publicIpv6 === null ? { code: 'REMOVE_IPV6' } : { code: 'CHANGE_IPV6', values: { publicIpv6 } }
  return failed({ code: 'IPV6_ELSEWHERE', values }, remedy, wait)
}

/** No name server answered properly, as opposed to a resolver that was not reached. */
const isBroken = (lookups: readonly Lookup[]): boolean =>
  lookups.some(({ error }) => error === 'SERVFAIL' || error === 'REFUSED') &&
  lookups.every(({ values }) => values.length === 0)

const isUnanswered = (lookup: Lookup): boolean => lookup.values.length === 0 && !saysNone(lookup) && !isBroken([lookup])

const errorsOf = (lookups: readonly Lookup[]): string[] => [...new Set(lookups.flatMap(({ error }) => error ?? []))]

const silent = (lookups: readonly Lookup[]): Sentence<ExplainCode> => ({
  code: 'RESOLVERS_SILENT',
  values: { errors: errorsOf(lookups) }
})

const failing = (hostname: string, lookups: readonly Lookup[]): Sentence<ExplainCode> => ({
  code: 'NAME_SERVERS_FAIL',
  values: { hostname, errors: errorsOf(lookups) }
})

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')

const isIpv6 = (address: string): boolean => address.includes(':')
