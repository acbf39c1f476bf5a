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

/** Verified domains of the account below a name. */
export async function listActiveDomainsBelow(db: Queryable, userId: string, name: string) {
  return db
    .select()
    .from(domains)
    .where(
      and(
        eq(domains.userId, userId),
        eq(domains.status, 'ACTIVE'),
        // Their records are those of the domain above.
        eq(domains.isMailHost, false),
        sql`right(${domains.hostname}, ${name.length + 1}) = ${`.${name}`}`
      )
    )
}

/** The domains lose their zone: their records stay in the store and are answered for by nobody here. */
export async function removeFromZones(trx: Transaction, domainIds: readonly string[], now: Date): Promise<void> {
  if (domainIds.length > 0)
    await trx
      .update(domains)
      .set({ dnsMode: 'CONNECTED', zoneId: null, updatedAt: now })
      .where(inArray(domains.id, [...domainIds]))
}
