import { and, eq, inArray } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { dnsRecords } from '../../db/schema/dns-records.ts'
import { newId } from '../../ids.ts'

export type DnsRecordRow = typeof dnsRecords.$inferSelect

// A statement has at most 65,535 values, and a row has eleven.
const rowsPerInsert = 1_000

export async function listRecords(db: Queryable, domainId: string): Promise<DnsRecordRow[]> {
  return db.select().from(dnsRecords).where(eq(dnsRecords.domainId, domainId))
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
  if (ids.length > 0) await trx.delete(dnsRecords).where(inArray(dnsRecords.id, [...ids]))
}
