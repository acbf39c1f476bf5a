import type { AuditAction } from '@panel/contract/audit'
import type { CreateDnsRecord, DnsRecord, UpdateDnsRecord } from '@panel/contract/dns-records'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { contentsOf, zoneTooLarge } from '../dns-zones/zone-contents.service.ts'
import type { ZoneRecord } from '../dns-zones/zone-record.types.ts'
import { markZoneChanged, type StoredRecord } from '../dns-zones/zone-access.ts'
import { seedRecords } from './default-records.service.ts'
import { deleteRecords, insertRecords, listRecords, setTtl, updateRecord } from './dns-records.repository.ts'
import { isVerificationRecord } from './record-order.policy.ts'
import {
  conflictOf,
  normalizeRecord,
  ownerOf,
  type RecordInput,
  type RecordValues
} from '../dns-zones/record.policy.ts'
import { getManagedDomain, getRecord } from './record-access.ts'
import { recordList, recordView } from './record-view.ts'
import { changeZone, type ZoneChange } from './zone-change.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger' | 'now'>

export async function listDnsRecords(deps: Pick<Deps, 'db'>, userId: string, domainId: string): Promise<DnsRecord[]> {
  const { hostname } = await getManagedDomain(deps.db, domainId, userId)
  return recordList(await listRecords(deps.db, domainId), hostname)
}

export async function createDnsRecord(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  input: CreateDnsRecord
): Promise<DnsRecord> {
  const row = await changeZone(deps, userId, domainId, async (zone) => {
    const values = accepted(zone, toInput(input), zone.records)
    const now = deps.now()
    const [row] = await insertRecords(zone.trx, domainId, [values], now)
    await shareTtl(zone, values, now)
    await markZoneChanged(zone.trx, zone.zone.domainId, now)
    await recordChange(deps, origin, userId, zone, { action: 'dns_record.created', metadata: factsOf(row!) })
    return row!
  })
  return recordView(row)
}

/** Creates those of the default records that are missing. */
export async function createDefaultRecords(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<DnsRecord[]> {
  return changeZone(deps, userId, domainId, async (change) => {
    const { trx, domain, zone, records } = change
    const problem = await seedRecords(deps, trx, domain, contentsOf(zone, records))
    if (problem) throw zoneTooLarge(zone.name, problem)
    await recordChange(deps, origin, userId, change, { action: 'dns_record.defaults_created', metadata: {} })
    return recordList(await listRecords(trx, domainId), domain.hostname)
  })
}

/** Members that are not given stay; so does the TTL of the records that it joins under a new name. */
export async function changeDnsRecord(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  id: string,
  input: UpdateDnsRecord
): Promise<DnsRecord> {
  const row = await changeZone(deps, userId, domainId, async (zone) => {
    const { trx, domain, records } = zone
    const current = await getRecord(trx, domainId, id)
    if (isVerificationRecord(current, domain.hostname))
      throw new AppError('DNS_RECORD_CONFLICT', 'The verification record is not changed; delete it if you want')
    const others = records.filter((record) => record.id !== id)
    const values = accepted(zone, { ...current, ...given(input) }, others)
    const joined = sameSet(others, domain.hostname, values)[0]
    if (input.ttl === undefined && joined) values.ttl = joined.ttl
    if (isSame(current, values)) return current
    const now = deps.now()
    const row = await updateRecord(trx, id, values, now)
    await shareTtl(zone, values, now)
    await markZoneChanged(trx, zone.zone.domainId, now)
    const metadata = { before: factsOf(current), after: factsOf(row) }
    await recordChange(deps, origin, userId, zone, { action: 'dns_record.updated', metadata })
    return row
  })
  return recordView(row)
}

export async function removeDnsRecord(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  id: string
): Promise<void> {
  await changeZone(deps, userId, domainId, async (change) => {
    const { trx, domain, zone } = change
    const current = await getRecord(trx, domainId, id)
    if (isVerificationRecord(current, domain.hostname) && domain.status !== 'ACTIVE')
      throw new AppError('DNS_RECORD_CONFLICT', `${domain.hostname} is not verified yet and needs this record`)
    await deleteRecords(trx, [id])
    await markZoneChanged(trx, zone.domainId, deps.now())
    await recordChange(deps, origin, userId, change, { action: 'dns_record.deleted', metadata: factsOf(current) })
  })
}

async function recordChange(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  { trx, domain }: ZoneChange,
  { action, metadata }: { action: AuditAction; metadata: object }
): Promise<void> {
  const entry = { actorId: userId, targetId: domain.id, metadata: { hostname: domain.hostname, ...metadata } }
  await recordAudit(deps, trx, origin, { action, ...entry })
}

const factsOf = ({ type, name, value, ttl }: RecordValues) => ({ type, name, value, ttl })

/** The normal form of what may stand in the zone beside the others. */
function accepted({ domain, zone }: ZoneChange, input: RecordInput, others: readonly ZoneRecord[]): RecordValues {
  const normal = normalizeRecord(input, domain.hostname)
  if ('problems' in normal) {
    const [first] = normal.problems
    throw new AppError('VALIDATION_ERROR', `${first?.path} ${first?.message}`, { details: normal.problems })
  }
  const candidate = { ...normal.record, owner: ownerOf(normal.record.name, domain.hostname) }
  const conflict = conflictOf(candidate, others, zone.name)
  if (conflict) throw new AppError(conflict.code, conflict.message)
  return normal.record
}

/** RFC 2181 §5.2: the records of one name and type have one TTL, also those of another domain in the zone. */
async function shareTtl({ trx, domain, records }: ZoneChange, values: RecordValues, now: Date): Promise<void> {
  const others = sameSet(records, domain.hostname, values).filter((record) => record.ttl !== values.ttl)
  await setTtl(
    trx,
    others.map((record) => record.id),
    values.ttl,
    now
  )
}

function sameSet(records: readonly StoredRecord[], hostname: string, { name, type }: RecordValues): StoredRecord[] {
  const owner = ownerOf(name, hostname)
  return records.filter((record) => record.owner === owner && record.type === type)
}

function isSame(current: RecordValues, values: RecordValues): boolean {
  const members = ['name', 'value', 'ttl', 'priority', 'weight', 'port'] as const
  return members.every((member) => current[member] === values[member])
}

function toInput({ type, name, value, ttl, ...numbers }: CreateDnsRecord): RecordInput {
  return { type, name, value, ttl, ...given(numbers) }
}

/** Without what is undefined, which would hide what is there. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
