import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { type DomainRow, getOwnDomain, notManaged } from '../domains/domain-access.ts'
import { type DnsRecordRow, findRecord } from './dns-records.repository.ts'

export { deleteRecords as removeRecords } from './dns-records.repository.ts'

export type ManagedDomain = DomainRow & { zoneId: string }

/** Returns the caller's domain; throws DNS_NOT_MANAGED unless its DNS is managed here. */
export async function getManagedDomain(db: Queryable, id: string, userId: string): Promise<ManagedDomain> {
  const domain = await getOwnDomain(db, id, userId)
  const { zoneId } = domain
  if (zoneId === null) throw notManaged(domain.hostname)
  return { ...domain, zoneId }
}

export async function getRecord(db: Queryable, domainId: string, id: string): Promise<DnsRecordRow> {
  const record = await findRecord(db, domainId, id)
  if (!record) throw new AppError('NOT_FOUND', 'DNS record not found')
  return record
}

export async function getOwnRecord(db: Queryable, domainId: string, id: string, userId: string): Promise<DnsRecordRow> {
  await getManagedDomain(db, domainId, userId)
  return getRecord(db, domainId, id)
}
