import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { domains } from './domains.ts'

/**
 * Zones that our name server answers for: one per MANAGED domain that is not below another one of its account. The row is the lock of
 * everything in the zone.
 */
export const dnsZones = pgTable(
  'dns_zones',
  {
    domainId: text('domain_id')
      .primaryKey()
      .references(() => domains.id, { onDelete: 'cascade' }),
    name: text('name').notNull().unique(),
    isSigned: boolean('is_signed').notNull().default(false),
    // YYYYMMDDnn, never below what it was (features/dns-zones/serial.policy.ts).
    serial: bigint('serial', { mode: 'number' }).notNull(),
    // Counts changes; behind it, `appliedRevision` says what the name server was given.
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
    // Why the newest revision could not be put in place.
    problem: text('problem'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('dns_zones_stale')
      .on(t.domainId)
      .where(sql`applied_revision <> revision`)
  ]
)

/** Serials of deleted zones, for as long as a second name server may hold a copy. The table keeps the name that it was made with. */
export const deletedZones = pgTable('former_zones', {
  name: text('name').primaryKey(),
  serial: bigint('serial', { mode: 'number' }).notNull(),
  createdAt: createdAt()
})
