import type { AuditAction } from '@panel/contract/audit'
import type { CreateDnsRecord, DnsRecord, ImportPreview, UpdateDnsRecord } from '@panel/contract/dns-records'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { contentsAround, zoneTooLarge } from '../dns-zones/zone-contents.service.ts'
import { findZone, listRecordsAround, markZoneChanged, type StoredRecord } from '../dns-zones/zone-access.ts'
import { defaultRecordNames, previewDefaults, seedRecords } from './default-records.service.ts'
import {
  countRecords,
  deleteRecords,
  type DnsRecordRow,
  insertRecords,
  type ListedRecords,
  listRecords,
  setTtl,
  updateRecord
} from './dns-records.repository.ts'
import { isVerificationRecord } from './verification-record.policy.ts'
import {
  conflictOf,
  normalizeRecord,
  ownerOf,
  type RecordInput,
  type RecordValues
} from '../dns-zones/record.policy.ts'
import { getManagedDomain, getRecord } from './record-access.ts'
import { recordView } from './record-view.ts'
import { changeZone, movingZone, type ZoneChange } from './zone-change.service.ts'
import { previewOfDefaults } from './zone-import-preview.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger' | 'now'>

export async function listDnsRecords(
  deps: Pick<Deps, 'config' | 'db'>,
  userId: string,
  domainId: string,
  page?: { page: number; limit: number }
): Promise<{ records: string; total: number }> {
  const domain = await getManagedDomain(deps.db, domainId, userId)
  const records = await listRecords(
    deps.db,
    domain,
    deps.config.DNS_NAMESERVERS,
    page && { limit: page.limit, offset: (page.page - 1) * page.limit }
  )
  return { records: records.json, total: page ? await countRecords(deps.db, domainId) : records.count }
}

export async function createDnsRecord(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  input: CreateDnsRecord
): Promise<DnsRecord> {
  return changeZone(deps, userId, domainId, async (zone) => {
    const { values, around } = await validateRecord(zone, toInput(input))
    const now = deps.now()
    const [row] = await insertRecords(zone.trx, domainId, [values], now)
    await shareTtl(zone, values, around, now)
    await markZoneChanged(zone.trx, zone.zone.domainId, now)
    await recordChange(deps, origin, userId, zone, { action: 'dns_record.created', metadata: factsOf(row!) })
    return viewOf(deps, zone, row!)
  })
}

export async function previewDefaultRecords(
  deps: Pick<Deps, 'config' | 'db'>,
  userId: string,
  domainId: string
): Promise<ImportPreview> {
  return deps.db.transaction(async (trx) => {
    const domain = await getManagedDomain(trx, domainId, userId)
    const zone = await findZone(trx, domain.zoneId)
    if (!zone) throw movingZone(domain)
    const contents = await contentsAround(trx, zone, defaultRecordNames(deps, domain, zone.name))
    return previewOfDefaults(previewDefaults(deps, domain, contents))
  })
}

export async function createDefaultRecords(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<ListedRecords> {
  const domain = await changeZone(deps, userId, domainId, async (change) => {
    const { trx, domain, zone } = change
    const contents = await contentsAround(trx, zone, defaultRecordNames(deps, domain, zone.name))
    const problem = await seedRecords(deps, trx, domain, contents)
    if (problem) throw zoneTooLarge(zone.name, problem)
    await recordChange(deps, origin, userId, change, { action: 'dns_record.defaults_created', metadata: {} })
    return domain
  })
  return listRecords(deps.db, domain, deps.config.DNS_NAMESERVERS)
}

/** Updates a record; omitted members are unchanged, but a renamed record adopts the TTL of the set that it joins. */
export async function changeDnsRecord(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  id: string,
  input: UpdateDnsRecord
): Promise<DnsRecord> {
  return changeZone(deps, userId, domainId, async (zone) => {
    const { trx, domain } = zone
    const current = await getRecord(trx, domainId, id)
    if (isVerificationRecord(current, domain.hostname))
      throw new AppError(
        'DNS_RECORD_CONFLICT',
        'The verification record cannot be changed. Delete it after the domain is verified.'
      )
    const { values, around } = await validateRecord(zone, { ...current, ...definedMembers(input) }, id)
    const joined = sameSet(around, domain.hostname, values)[0]
    if (input.ttl === undefined && joined) values.ttl = joined.ttl
    if (isSame(current, values)) return viewOf(deps, zone, current)
    if (values.name !== current.name || values.value !== current.value) refuseOwnNameServer(deps, zone, current)
    const now = deps.now()
    const row = await updateRecord(trx, id, values, now)
    await shareTtl(zone, values, around, now)
    await markZoneChanged(trx, zone.zone.domainId, now)
    const metadata = { before: factsOf(current), after: factsOf(row) }
    await recordChange(deps, origin, userId, zone, { action: 'dns_record.updated', metadata })
    return viewOf(deps, zone, row)
  })
}

const viewOf = ({ config }: Pick<Deps, 'config'>, { domain }: ZoneChange, row: DnsRecordRow): DnsRecord =>
  recordView(row, { domain, nameservers: config.DNS_NAMESERVERS })

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
      throw new AppError('DNS_RECORD_CONFLICT', `${domain.hostname} is not verified yet. Keep this record until it is.`)
    refuseOwnNameServer(deps, change, current)
    await deleteRecords(trx, [id])
    await markZoneChanged(trx, zone.domainId, deps.now())
    await recordChange(deps, origin, userId, change, { action: 'dns_record.deleted', metadata: factsOf(current) })
  })
}

/** The zone always serves these NS records, so the list must contain them. */
function refuseOwnNameServer(
  { config }: Deps,
  { domain, zone }: ZoneChange,
  { type, name, value }: RecordValues
): void {
  if (type !== 'NS' || ownerOf(name, domain.hostname) !== zone.name || !config.DNS_NAMESERVERS.includes(value)) return
  throw new AppError(
    'DNS_RECORD_CONFLICT',
    `${value} is one of the zone's own name servers and cannot be removed from ${zone.name}`
  )
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

/** Validates and normalizes a record. Resolves also with the records around it; `id` excludes the record itself. */
async function validateRecord(
  { trx, domain, zone }: ZoneChange,
  input: RecordInput,
  id?: string
): Promise<{ values: RecordValues; around: StoredRecord[] }> {
  const normal = normalizeRecord(input, domain.hostname)
  if ('problems' in normal) {
    const [first] = normal.problems
    throw new AppError('VALIDATION_ERROR', `${first?.path} ${first?.message}`, { details: normal.problems })
  }
  const candidate = { ...normal.record, owner: ownerOf(normal.record.name, domain.hostname) }
  const around = (await listRecordsAround(trx, zone, [candidate.owner])).filter((record) => record.id !== id)
  const conflict = conflictOf(candidate, around, zone.name)
  if (conflict) throw new AppError(conflict.code, conflict.message)
  return { values: normal.record, around }
}

/** RFC 2181 §5.2: all records of a set have the same TTL, also those of other domains in the zone. */
async function shareTtl(
  { trx, domain }: ZoneChange,
  values: RecordValues,
  around: readonly StoredRecord[],
  now: Date
): Promise<void> {
  const others = sameSet(around, domain.hostname, values).filter((record) => record.ttl !== values.ttl)
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
  return { type, name, value, ttl, ...definedMembers(numbers) }
}

/** Drops undefined members, which would otherwise override existing values. */
function definedMembers<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
