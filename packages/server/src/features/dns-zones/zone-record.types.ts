import type { DnsRecordType } from '@panel/contract/dns-records'

/** A record as it stands in its zone. */
export interface ZoneRecord {
  /** Full name in lower case, without the dot at the end: `www.example.com`, `*.example.com`. */
  owner: string
  type: DnsRecordType
  /** In the normal form of features/dns-zones/record.policy.ts. */
  value: string
  ttl: number
  priority: number | null
  weight: number | null
  port: number | null
}
