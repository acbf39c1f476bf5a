import type { DnsRecord } from '@panel/contract/dns-records'
import type { DnsRecordRow } from './dns-records.repository.ts'
import { inListOrder } from './record-order.policy.ts'

export function recordView(row: DnsRecordRow): DnsRecord {
  const { id, domainId, type, name, value, ttl, priority, weight, port } = row
  return {
    id,
    domainId,
    type,
    name,
    value,
    ttl,
    priority,
    weight,
    port,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}

export function recordList(rows: readonly DnsRecordRow[], hostname: string): DnsRecord[] {
  return inListOrder(rows, hostname).map(recordView)
}
