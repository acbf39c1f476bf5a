import type { DnsRecordType } from '@panel/contract/dns-records'

export interface ZoneRecord {
  /** Lower case, without the trailing dot: `www.example.com`, `*.example.com`. */
  owner: string
  type: DnsRecordType
  value: string
  ttl: number
  priority: number | null
  weight: number | null
  port: number | null
}
