import type { DnsRecord } from '@panel/contract/dns-records'
import type { DnsRecordRow, ListedRecord } from './dns-records.repository.ts'

export const listedView = ({
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
}: ListedRecord): DnsRecord => ({
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
})

export const recordView = (row: DnsRecordRow): DnsRecord =>
  listedView({ ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() })
