import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { dnsRecords } from '../../db/schema/dns-records.ts'
import { domains } from '../../db/schema/domains.ts'

export async function listRecordsOfDomain(db: Queryable, domainId: string) {
  return db.select().from(dnsRecords).where(eq(dnsRecords.domainId, domainId))
}

export async function deleteRecords(trx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.delete(dnsRecords).where(inArray(dnsRecords.id, [...ids]))
}

export async function listActiveDomainsBelow(db: Queryable, userId: string, name: string) {
  return db
    .select()
    .from(domains)
    .where(
      and(
        eq(domains.userId, userId),
        eq(domains.status, 'ACTIVE'),
        // The parent domain has the records of mail hosts.
        eq(domains.isMailHost, false),
        sql`right(${domains.hostname}, ${name.length + 1}) = ${`.${name}`}`
      )
    )
}

/** Removes domains from their zone. Their records stay in the database but are no longer served. */
export async function removeFromZones(trx: Transaction, domainIds: readonly string[], now: Date): Promise<void> {
  if (domainIds.length > 0)
    await trx
      .update(domains)
      .set({ dnsMode: 'CONNECTED', zoneId: null, updatedAt: now })
      .where(inArray(domains.id, [...domainIds]))
}
