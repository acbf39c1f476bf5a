import { defaultTtl } from '@panel/contract/dns-records'
import type { RecordValues } from '../dns-zones/record.policy.ts'

export type DefaultRecord = '@ A' | 'www CNAME' | '@ NS'

interface DefaultsFor {
  hostname: string
  /** Of the zone that the domain's records stand in. */
  zoneName: string
  publicIp: string
  nameservers: readonly string[]
}

/**
 * The records that lead a domain to this server. Name servers belong to the zone, so a domain in the zone of another one gets none;
 * below a wildcard there is nothing but itself.
 */
export function defaultRecords({ hostname, zoneName, publicIp, nameservers }: DefaultsFor) {
  const isApex = hostname === zoneName
  const record = (name: string, type: RecordValues['type'], value: string): RecordValues => ({
    name,
    type,
    value,
    ttl: defaultTtl,
    priority: null,
    weight: null,
    port: null
  })
  const below = nameservers.filter((name) => name.endsWith(`.${zoneName}`))
  const defaults: Record<DefaultRecord, RecordValues[]> = {
    '@ A': [record('@', 'A', publicIp)],
    'www CNAME': hostname.startsWith('*.') ? [] : [record('www', 'CNAME', hostname)],
    '@ NS': isApex
      ? [
          ...nameservers.map((name) => record('@', 'NS', name)),
          // A name server inside the zone that it serves is found by its address only.
          ...below.map((name) => record(name.slice(0, -zoneName.length - 1), 'A', publicIp))
        ]
      : []
  }
  return defaults
}
