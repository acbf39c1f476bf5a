import { defaultTtl } from '@panel/contract/dns-records'
import type { RecordValues } from '../dns-zones/record.policy.ts'

export type DefaultRecord = '@ A' | 'www CNAME' | '@ NS'

interface DefaultsFor {
  hostname: string
  zoneName: string
  publicIp: string
  nameservers: readonly string[]
}

/** Default records that point a domain to this server. NS records only at the apex; no `www` below a wildcard. */
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
          // Glue: a name server inside its own zone needs an address record.
          ...below.map((name) => record(name.slice(0, -zoneName.length - 1), 'A', publicIp))
        ]
      : []
  }
  return defaults
}
