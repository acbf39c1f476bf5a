import type { DnsRecord } from '@panel/contract/dns-records'
import type { DnsRecordRow } from './dns-records.repository.ts'

/** One record. Lists of them come from PostgreSQL as they are sent (listRecords). */
export const recordView = ({
  id,
  domainId,
  type,
  name,
  value,
  ttl,
  priority,
  weight,
  port,
  createdAt,
  updatedAt
}: DnsRecordRow): DnsRecord => ({
  id,
  domainId,
  type,
  name,
  value,
  ttl,
  priority,
  weight,
  port,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})
