import { and, eq, inArray, isNotNull, lt, ne, notInArray, type SQL, sql } from 'drizzle-orm'
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

/** Changes of what is in a zone wait for each other here. */
export async function lockZone(trx: Transaction, id: string): Promise<ZoneRow | undefined> {
  const [row] = await trx.select().from(dnsZones).where(eq(dnsZones.domainId, id)).for('update')
  return row
}

/** Zones of these names, with the account of each. */
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

/** Undefined when the name has a zone already. Its serial goes on from that of an earlier zone of the name. */
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

/** To be called in every transaction that changes what a zone's text is made of. A zone that is gone is none to mark. */
export async function markZoneChanged(trx: Transaction, id: string, now: Date): Promise<void> {
  const zone = await lockZone(trx, id)
  if (!zone) return
  await trx
    .update(dnsZones)
    .set({ revision: zone.revision + 1, serial: nextSerial(zone.serial, now), updatedAt: now })
    .where(eq(dnsZones.domainId, id))
}

/** What the name server was given last; an older revision never counts after a newer one. */
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

export async function listServedZones(db: Queryable): Promise<ServedZone[]> {
  return db.select({ name: dnsZones.name, isSigned: dnsZones.isSigned }).from(dnsZones).orderBy(dnsZones.name)
}

/** Zones that the name server has not been given as they are now. */
export async function listOutdatedZones(db: Queryable, limit: number, but: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: dnsZones.domainId })
    .from(dnsZones)
    .where(and(ne(dnsZones.appliedRevision, dnsZones.revision), notInArray(dnsZones.domainId, [...but])))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** Has them given to the name server again. */
export async function evictApplied(db: Queryable, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await db
      .update(dnsZones)
      .set({ appliedRevision: 0 })
      .where(inArray(dnsZones.name, [...names]))
}

export async function removeRefused(db: Queryable): Promise<void> {
  await db.update(dnsZones).set({ appliedRevision: 0 }).where(isNotNull(dnsZones.problem))
}

/** Serials never go back, also when the name server, which counts the signed zones' by itself, is ahead of us. */
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

/** A record with what names it in the store. */
export type StoredRecord = ZoneRecord & { id: string; domainId: string; name: string }

// As ownerOf has it: below a wildcard there is what stands below its base, and the verification record has its full name.
const base = sql`regexp_replace(${domains.hostname}, '^\\*\\.', '')`
const owner = sql`case
  when ${dnsRecords.name} = '@' then ${domains.hostname}
  when ${dnsRecords.name} = ${base} or right(${dnsRecords.name}, length(${base}) + 1) = '.' || ${base} then ${dnsRecords.name}
  else ${dnsRecords.name} || '.' || ${domains.hostname} end`

/** Everything that stands in a zone: the records of all domains in it. */
const recordsOf = (zoneId: string | SQL) => sql`
  select ${dnsRecords.id} as id, ${dnsRecords.domainId} as "domainId", ${dnsRecords.name} as name, ${owner} as owner,
    ${dnsRecords.type} as type, ${dnsRecords.value} as value, ${dnsRecords.ttl} as ttl, ${dnsRecords.priority} as priority,
    ${dnsRecords.weight} as weight, ${dnsRecords.port} as port
  from ${dnsRecords} join ${domains} on ${domains.id} = ${dnsRecords.domainId} where ${domains.zoneId} = ${zoneId}`

/** StoredRecords as the text of a JSON array, which a thread reads: ten thousand rows are more than others should wait for. */
export async function readZoneRecords(db: Queryable, zoneId: string, ofDomain?: string): Promise<string> {
  const filter = ofDomain === undefined ? sql`` : sql`where "domainId" = ${ofDomain}`
  const { rows } = await db.execute<{ records: string }>(
    sql`select coalesce(json_agg(found), '[]')::text as records from (${recordsOf(zoneId)}) found ${filter}`
  )
  return rows[0]!.records
}

/**
 * Those that decide whether records of these names can stand in the zone: what is at the names, the delegations above them, and of what is
 * below them some that are no addresses.
 */
export async function listRecordsAround(
  db: Queryable,
  zone: Pick<ZoneRow, 'domainId' | 'name'>,
  names: readonly string[]
): Promise<StoredRecord[]> {
  const requested = sql`${sql.param([...new Set(names)])}::text[]`
  const above = sql`${sql.param([...new Set(names.flatMap((name) => namesBetween(name, zone.name)))])}::text[]`
  // Two, since one of them may be what is changed.
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

/** What stands at these names in these zones. */
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

/** The names above one that are below the zone's. */
function namesBetween(name: string, zoneName: string): string[] {
  const labels = name.slice(0, -zoneName.length - 1).split('.')
  return labels.slice(1).map((_label, index) => `${labels.slice(index + 1).join('.')}.${zoneName}`)
}

/** What sizeOf says of everything that stands in a zone. */
export async function readZoneSize(db: Queryable, zoneId: string): Promise<ZoneSize> {
  const bytes = sql`octet_length(${dnsRecords.name}) + octet_length(${dnsRecords.value}) + ${bytesPerRecord}`
  const [row] = await db
    .select({ records: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(${bytes}), 0)::float8` })
    .from(dnsRecords)
    .innerJoin(domains, eq(domains.id, dnsRecords.domainId))
    .where(eq(domains.zoneId, zoneId))
  return row!
}

/** Answers to challenges of an authority, which stand in the zone while an order runs. */
export async function listZoneChallenges(db: Queryable, zoneId: string): Promise<{ owner: string; value: string }[]> {
  const rows = await db
    .select({ owner: acmeChallenges.name, value: acmeChallenges.value })
    .from(acmeChallenges)
    .innerJoin(domains, eq(domains.id, acmeChallenges.domainId))
    .where(and(eq(domains.zoneId, zoneId), eq(acmeChallenges.type, 'dns-01')))
  return rows.flatMap(({ owner, value }) => (owner === null ? [] : [{ owner, value }]))
}

export async function deleteZone(trx: Transaction, id: string): Promise<void> {
  await keepSerials(trx, [id])
  await trx.delete(dnsZones).where(eq(dnsZones.domainId, id))
}

/**
 * To be called before zones go. A second name server that did not hear of it would hold an old zone, maybe of another account, for newer
 * than one of the same name that begins again.
 */
export async function keepSerials(trx: Transaction, ids: readonly string[]): Promise<void> {
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

/** A second name server has dropped its copy of a zone by then: the SOA's expiry is 14 days. */
export async function purgeDeletedZones(db: Queryable, before: Date): Promise<void> {
  await db.delete(deletedZones).where(lt(deletedZones.createdAt, before))
}

// The name server counts a signed zone by itself, and is ahead of the store by what it signed since we last asked.
const serialMargin = 100

export async function listZoneDomainIds(db: Queryable, zoneId: string): Promise<string[]> {
  const rows = await db.select({ id: domains.id }).from(domains).where(eq(domains.zoneId, zoneId))
  return rows.map((row) => row.id)
}

export async function setZoneSigned(trx: Transaction, id: string, isSigned: boolean, now: Date): Promise<void> {
  // Whatever is told late is found by the revision.
  await markZoneChanged(trx, id, now)
  await trx.update(dnsZones).set({ isSigned }).where(eq(dnsZones.domainId, id))
}
