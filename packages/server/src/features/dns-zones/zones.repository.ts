import { and, eq, gt, inArray, isNotNull, lt, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { acmeChallenges } from '../../db/schema/acme-challenges.ts'
import { dnsRecords } from '../../db/schema/dns-records.ts'
import { dnsZones, deletedZones } from '../../db/schema/dns-zones.ts'
import { domains } from '../../db/schema/domains.ts'
import type { ServedZone } from '../../infra/dns-server/dns-server.ts'
import { nextSerial } from './serial.policy.ts'
import type { ZoneRecord } from './zone-record.types.ts'
import { bytesPerRecord, type ZoneSize } from './zone-size.policy.ts'

export type ZoneRow = typeof dnsZones.$inferSelect

export async function findZone(db: Queryable, id: string): Promise<ZoneRow | undefined> {
  const [row] = await db.select().from(dnsZones).where(eq(dnsZones.domainId, id))
  return row
}

/** Serializes changes of a zone's records. */
export async function lockZone(trx: Transaction, id: string): Promise<ZoneRow | undefined> {
  const [row] = await trx.select().from(dnsZones).where(eq(dnsZones.domainId, id)).for('update')
  return row
}

export async function listZonesNamed(
  db: Queryable,
  names: readonly string[]
): Promise<{ zone: ZoneRow; userId: string }[]> {
  if (names.length === 0) return []
  return db
    .select({ zone: dnsZones, userId: domains.userId })
    .from(dnsZones)
    .innerJoin(domains, eq(domains.id, dnsZones.domainId))
    .where(inArray(dnsZones.name, [...names]))
}

/** Undefined if a zone of this name exists. Continues the serial of a deleted zone of this name. */
export async function insertZone(
  trx: Transaction,
  values: { domainId: string; name: string },
  now: Date
): Promise<ZoneRow | undefined> {
  const [previous] = await trx
    .select({ serial: deletedZones.serial })
    .from(deletedZones)
    .where(eq(deletedZones.name, values.name))
  const [row] = await trx
    .insert(dnsZones)
    .values({ ...values, serial: nextSerial(previous?.serial ?? 0, now), createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning()
  return row
}

/** Call in every transaction that changes a zone's contents. No-op if the zone is gone. */
export async function markZoneChanged(trx: Transaction, id: string, now: Date): Promise<void> {
  const zone = await lockZone(trx, id)
  if (!zone) return
  await trx
    .update(dnsZones)
    .set({ revision: zone.revision + 1, serial: nextSerial(zone.serial, now), updatedAt: now })
    .where(eq(dnsZones.domainId, id))
}

export async function markZoneApplied(
  db: Queryable,
  id: string,
  revision: number,
  problem: string | null
): Promise<void> {
  await db
    .update(dnsZones)
    .set({ appliedRevision: revision, problem })
    .where(and(eq(dnsZones.domainId, id), lt(dnsZones.appliedRevision, revision)))
}

/** Of the domains in a zone. */
export async function listZoneHostnames(db: Queryable, zoneId: string): Promise<string[]> {
  const rows = await db.select({ hostname: domains.hostname }).from(domains).where(eq(domains.zoneId, zoneId))
  return rows.map(({ hostname }) => hostname)
}

export async function listZoneIds(db: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: dnsZones.domainId })
    .from(dnsZones)
    .where(gt(dnsZones.domainId, after))
    .orderBy(dnsZones.domainId)
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function listServedZones(db: Queryable): Promise<ServedZone[]> {
  return db.select({ name: dnsZones.name, isSigned: dnsZones.isSigned }).from(dnsZones).orderBy(dnsZones.name)
}

export async function listOutdatedZones(db: Queryable, limit: number, but: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: dnsZones.domainId })
    .from(dnsZones)
    .where(and(ne(dnsZones.appliedRevision, dnsZones.revision), notInArray(dnsZones.domainId, [...but])))
    .limit(limit)
  return rows.map((row) => row.id)
}

export async function evictApplied(db: Queryable, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await db
      .update(dnsZones)
      .set({ appliedRevision: 0 })
      .where(inArray(dnsZones.name, [...names]))
}

export async function retryRejected(db: Queryable): Promise<void> {
  await db.update(dnsZones).set({ appliedRevision: 0 }).where(isNotNull(dnsZones.problem))
}

/** The name server increments the serials of signed zones itself, and serials must never decrease. */
export async function raiseSerials(db: Queryable, served: ReadonlyMap<string, number>): Promise<void> {
  const rows = await db.select({ name: dnsZones.name, serial: dnsZones.serial }).from(dnsZones)
  for (const { name, serial } of rows) {
    const ahead = served.get(name) ?? 0
    if (ahead > serial)
      await db
        .update(dnsZones)
        .set({ serial: sql`greatest(${dnsZones.serial}, ${ahead})` })
        .where(eq(dnsZones.name, name))
  }
}

export type StoredRecord = ZoneRecord & { id: string; domainId: string; name: string }

// Must match ownerOf: names below a wildcard are relative to its base; the verification record has its full name.
const base = sql`regexp_replace(${domains.hostname}, '^\\*\\.', '')`
const owner = sql`case
  when ${dnsRecords.name} = '@' then ${domains.hostname}
  when ${dnsRecords.name} = ${base} or right(${dnsRecords.name}, length(${base}) + 1) = '.' || ${base} then ${dnsRecords.name}
  else ${dnsRecords.name} || '.' || ${domains.hostname} end`

const recordsOf = (zoneId: string | SQL) => sql`
  select ${dnsRecords.id} as id, ${dnsRecords.domainId} as "domainId", ${dnsRecords.name} as name, ${owner} as owner,
    ${dnsRecords.type} as type, ${dnsRecords.value} as value, ${dnsRecords.ttl} as ttl, ${dnsRecords.priority} as priority,
    ${dnsRecords.weight} as weight, ${dnsRecords.port} as port
  from ${dnsRecords} join ${domains} on ${domains.id} = ${dnsRecords.domainId} where ${domains.zoneId} = ${zoneId}`

/** StoredRecords as JSON text, parsed in a worker thread: 10,000 rows would block the event loop. */
export async function readZoneRecords(db: Queryable, zoneId: string, ofDomain?: string): Promise<string> {
  const filter = ofDomain === undefined ? sql`` : sql`where "domainId" = ${ofDomain}`
  const { rows } = await db.execute<{ records: string }>(
    sql`select coalesce(json_agg(found), '[]')::text as records from (${recordsOf(zoneId)}) found ${filter}`
  )
  return rows[0]!.records
}

/** Records at the names, delegations above, and a sample of non-address records below. */
export async function listRecordsAround(
  db: Queryable,
  zone: Pick<ZoneRow, 'domainId' | 'name'>,
  names: readonly string[]
): Promise<StoredRecord[]> {
  const requested = sql`${sql.param([...new Set(names)])}::text[]`
  const above = sql`${sql.param([...new Set(names.flatMap((name) => namesBetween(name, zone.name)))])}::text[]`
  // Two, because one of them may be the record being changed.
  const { rows } = await db.execute<StoredRecord & Record<string, unknown>>(sql`
    with found as materialized (${recordsOf(zone.domainId)})
    select * from found where owner = any(${requested}) or (type = 'NS' and owner = any(${above}))
    union
    select below.* from unnest(${requested}) as names(name) cross join lateral (
      select * from found
      where right(owner, length(names.name) + 1) = '.' || names.name and type not in ('A', 'AAAA') limit 2
    ) below`)
  return rows
}

export async function listRecordsNamed(
  db: Queryable,
  zoneIds: readonly string[],
  names: readonly string[]
): Promise<(StoredRecord & { zoneId: string })[]> {
  if (zoneIds.length === 0 || names.length === 0) return []
  const { rows } = await db.execute<StoredRecord & { zoneId: string } & Record<string, unknown>>(sql`
    select found.*, zones.id as "zoneId" from unnest(${sql.param([...new Set(zoneIds)])}::text[]) as zones(id)
    cross join lateral (${recordsOf(sql`zones.id`)}) found
    where found.owner = any(${sql.param([...new Set(names)])}::text[])`)
  return rows
}

function namesBetween(name: string, zoneName: string): string[] {
  const labels = name.slice(0, -zoneName.length - 1).split('.')
  return labels.slice(1).map((_label, index) => `${labels.slice(index + 1).join('.')}.${zoneName}`)
}

export async function readZoneSize(db: Queryable, zoneId: string): Promise<ZoneSize> {
  const bytes = sql`octet_length(${dnsRecords.name}) + octet_length(${dnsRecords.value}) + ${bytesPerRecord}`
  const [row] = await db
    .select({ records: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(${bytes}), 0)::float8` })
    .from(dnsRecords)
    .innerJoin(domains, eq(domains.id, dnsRecords.domainId))
    .where(eq(domains.zoneId, zoneId))
  return row!
}

export async function listZoneChallenges(db: Queryable, zoneId: string): Promise<{ owner: string; value: string }[]> {
  const rows = await db
    .select({ owner: acmeChallenges.name, value: acmeChallenges.value })
    .from(acmeChallenges)
    .innerJoin(domains, eq(domains.id, acmeChallenges.domainId))
    .where(and(eq(domains.zoneId, zoneId), eq(acmeChallenges.type, 'dns-01')))
  return rows.flatMap(({ owner, value }) => (owner === null ? [] : [{ owner, value }]))
}

export async function deleteZone(trx: Transaction, id: string): Promise<void> {
  await preserveSerials(trx, [id])
  await trx.delete(dnsZones).where(eq(dnsZones.domainId, id))
}

/** Call before deleting zones: a secondary with an old copy would ignore a new zone with a lower serial. */
export async function preserveSerials(trx: Transaction, ids: readonly string[]): Promise<void> {
  const zones = await trx
    .select({ name: dnsZones.name, serial: dnsZones.serial, isSigned: dnsZones.isSigned })
    .from(dnsZones)
    .where(inArray(dnsZones.domainId, [...ids]))
  if (zones.length === 0) return
  const kept = zones.map(({ name, serial, isSigned }) => ({
    name,
    serial: Math.min(serial + (isSigned ? serialMargin : 0), 2 ** 32 - 1)
  }))
  await trx
    .insert(deletedZones)
    .values(kept)
    .onConflictDoUpdate({
      target: deletedZones.name,
      set: { serial: sql`excluded.serial`, createdAt: sql`excluded.created_at` }
    })
}

/** Secondaries have dropped their copies by then (SOA expiry is 14 days). */
export async function purgeDeletedZones(db: Queryable, before: Date): Promise<void> {
  await db.delete(deletedZones).where(lt(deletedZones.createdAt, before))
}

// The name server may have incremented a signed zone's serial since we last read it.
const serialMargin = 100

export async function listZoneDomainIds(db: Queryable, zoneId: string): Promise<string[]> {
  const rows = await db.select({ id: domains.id }).from(domains).where(eq(domains.zoneId, zoneId))
  return rows.map((row) => row.id)
}

export async function setZoneSigned(trx: Transaction, id: string, isSigned: boolean, now: Date): Promise<void> {
  // The revision lets the reconciler find it if applying fails.
  await markZoneChanged(trx, id, now)
  await trx.update(dnsZones).set({ isSigned }).where(eq(dnsZones.domainId, id))
}
