import { and, eq, inArray, sql } from 'drizzle-orm'
import type pg from 'pg'
import { dnsRecordTypes } from '@panel/contract/dns-records'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { queryPrepared } from '../../db/prepared-rows.ts'
import { dnsRecords } from '../../db/schema/dns-records.ts'
import { newId } from '../../security/ids.ts'
import { baseOf } from '../domains/hostname.policy.ts'

export type DnsRecordRow = typeof dnsRecords.$inferSelect

// PostgreSQL allows 65,535 parameters per statement; a row has eleven.
const rowsPerInsert = 1_000

export interface ListedRecords {
  count: number
  json: string
}

/** PostgreSQL sorts and serializes, so that the event loop is not blocked. The verification record comes last. */
export async function listRecords(
  db: Pick<Database, '$client'>,
  { id, hostname, zoneId }: { id: string; hostname: string; zoneId: string },
  nameservers: readonly string[],
  { ids, limit, offset = 0 }: { ids?: readonly string[]; limit?: number; offset?: number } = {}
): Promise<ListedRecords> {
  const ownNameservers = zoneId === id ? nameservers : []
  const values = [id, baseOf(hostname), typeOrder, ids ?? null, limit ?? null, offset, ownNameservers]
  const [records] = await queryPrepared<ListedRecords & pg.QueryResultRow>(db, listStatement, values)
  return records!
}

const typeOrder = ['NS', ...dnsRecordTypes.filter((type) => type !== 'NS')]

// Must match the contract's DnsRecord and toISOString.
const isoTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

// Must match isVerificationRecord and managerOf.
const isVerification = `(name = $2 or right(name, length($2) + 1) = '.' || $2)`

const listStatement = {
  name: 'dns-records-list',
  text: `
    select count(*)::int as count, coalesce(json_agg(listed), '[]')::text as json from (
    select id, domain_id as "domainId", type, name, value, ttl, priority, weight, port,
      case when ${isVerification} then 'VERIFICATION'
        when type = 'NS' and name = '@' and value = any($7::text[]) then 'NAME_SERVER' end as "managedBy",
      ${isoTime('created_at')} as "createdAt", ${isoTime('updated_at')} as "updatedAt"
    from dns_records
    where domain_id = $1 and ($4::text[] is null or id = any($4))
    order by ${isVerification},
      case when name <> '@' then
        (select array_agg(label order by place desc) from unnest(string_to_array(name, '.')) with ordinality as labels(label, place))
      end collate "C" nulls first,
      array_position($3::text[], type::text), coalesce(priority, -1), value collate "C", id collate "C"
    limit $5 offset $6
    ) listed`
}

export async function countRecords(db: Queryable, domainId: string): Promise<number> {
  return db.$count(dnsRecords, eq(dnsRecords.domainId, domainId))
}

export async function findRecord(db: Queryable, domainId: string, id: string): Promise<DnsRecordRow | undefined> {
  const [row] = await db
    .select()
    .from(dnsRecords)
    .where(and(eq(dnsRecords.domainId, domainId), eq(dnsRecords.id, id)))
  return row
}

export async function insertRecords(
  trx: Transaction,
  domainId: string,
  records: readonly Omit<typeof dnsRecords.$inferInsert, 'id' | 'domainId' | 'createdAt' | 'updatedAt'>[],
  now: Date
): Promise<DnsRecordRow[]> {
  const rows = records.map((values) => ({
    ...values,
    id: newId(now.getTime()),
    domainId,
    createdAt: now,
    updatedAt: now
  }))
  const inserted: DnsRecordRow[] = []
  for (let from = 0; from < rows.length; from += rowsPerInsert)
    inserted.push(
      ...(await trx
        .insert(dnsRecords)
        .values(rows.slice(from, from + rowsPerInsert))
        .returning())
    )
  return inserted
}

export async function insertRecordsFrom(trx: Transaction, domainId: string, records: string, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  await trx.execute(sql`
    insert into ${dnsRecords} (id, domain_id, type, name, value, ttl, priority, weight, port, created_at, updated_at)
    select id, ${domainId}, type::dns_record_type, name, value, ttl, priority, weight, port, ${at}, ${at}
    from json_to_recordset(${records}::json)
      as planned(id text, type text, name text, value text, ttl int, priority int, weight int, port int)`)
}

export async function updateRecord(
  trx: Transaction,
  id: string,
  values: Partial<DnsRecordRow>,
  now: Date
): Promise<DnsRecordRow> {
  const [row] = await trx
    .update(dnsRecords)
    .set({ ...values, updatedAt: now })
    .where(eq(dnsRecords.id, id))
    .returning()
  return row!
}

export async function setTtl(trx: Transaction, ids: readonly string[], ttl: number, now: Date): Promise<void> {
  if (ids.length > 0)
    await trx
      .update(dnsRecords)
      .set({ ttl, updatedAt: now })
      .where(inArray(dnsRecords.id, [...ids]))
}

export async function deleteRecords(trx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.delete(dnsRecords).where(sql`${dnsRecords.id} = any(${sql.param([...ids])}::text[])`)
}
