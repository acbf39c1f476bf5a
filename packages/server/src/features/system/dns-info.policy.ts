import { type DnsInfo, type DnsInfoRecord, dnsInfoStates, type DnsInfoVerification } from '@panel/contract/system'
import type { Config } from '../../config.ts'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { probedName } from '../domains/hostname.policy.ts'

type VerifiedRecord = DnsInfoVerification['records'][number]
type State = VerifiedRecord['state']

/** Records that point the panel and deployed projects to this server. */
export function dnsInfoOf(config: Pick<Config, 'BASE_DOMAIN' | 'PANEL_DOMAIN' | 'PUBLIC_IP' | 'PUBLIC_IPV6'>): DnsInfo {
  const { BASE_DOMAIN: baseDomain, PANEL_DOMAIN: domain, PUBLIC_IP: publicIp, PUBLIC_IPV6: publicIpv6 } = config
  const names =
    domain === undefined
      ? []
      : [
          [domain, 'The panel'],
          [`api.${domain}`, 'The API'],
          [`webmail.${domain}`, 'Webmail'],
          [`*.${baseDomain}`, 'Deployed projects']
        ]
  const addresses = [
    ...(publicIp === undefined ? [] : [{ type: 'A' as const, value: publicIp }]),
    ...(publicIpv6 === undefined ? [] : [{ type: 'AAAA' as const, value: publicIpv6 }])
  ]
  const records = names.flatMap(([name = '', purpose = '']) =>
    addresses.map(({ type, value }): DnsInfoRecord => ({ type, name, value, purpose }))
  )
  return { publicIp: publicIp ?? null, domain: domain ?? null, baseDomain, records }
}

export function verifiedRecord(record: DnsInfoRecord, lookups: readonly Lookup[]): VerifiedRecord {
  const resolvers = lookups.map(({ resolver, values, latencyMs, error }) => ({
    resolver,
    state: stateOf(values, record.value),
    values,
    latencyMs,
    error
  }))
  const states = resolvers.map(({ state }) => state)
  // One resolver is enough: the others may have a cached answer or be unreachable.
  const state = dnsInfoStates.find((candidate) => states.includes(candidate)) ?? 'Not found'
  return { ...record, state, probedName: probedName(record.name), resolvers }
}

/** Additional addresses are accepted; the values show them. */
function stateOf(values: readonly string[], publicIp: string): State {
  if (values.includes(publicIp)) return 'Live'
  return values.length > 0 ? 'Not pointed here yet' : 'Not found'
}
