import type { DnsRecord } from '@panel/contract/dns-records'
import { isVerificationRecord } from './verification-record.policy.ts'
import type { DnsRecordRow } from './dns-records.repository.ts'

interface RecordPlace {
  domain: { id: string; hostname: string; zoneId: string | null }
  nameservers: readonly string[]
}

function managerOf(
  record: Pick<DnsRecord, 'type' | 'name' | 'value'>,
  { domain, nameservers }: RecordPlace
): DnsRecord['managedBy'] {
  if (isVerificationRecord(record, domain.hostname)) return 'VERIFICATION'
  const isOwn = domain.zoneId === domain.id && record.type === 'NS' && record.name === '@'
  return isOwn && nameservers.includes(record.value) ? 'NAME_SERVER' : null
}

export const recordView = (
  { id, domainId, type, name, value, ttl, priority, weight, port, createdAt, updatedAt }: DnsRecordRow,
  place: RecordPlace
): DnsRecord => ({
  id,
  domainId,
  type,
  name,
  value,
  ttl,
  priority,
  weight,
  port,
  managedBy: managerOf({ type, name, value }, place),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})
