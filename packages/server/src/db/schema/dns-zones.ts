import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { domains } from './domains.ts'

/** One zone per topmost MANAGED domain of an account. The row serves as lock for everything in the zone. */
export const dnsZones = pgTable(
  'dns_zones',
  {
    domainId: text('domain_id')
      .primaryKey()
      .references(() => domains.id, { onDelete: 'cascade' }),
    name: text('name').notNull().unique(),
    isSigned: boolean('is_signed').notNull().default(false),
    // YYYYMMDDnn; never decreases (features/dns-zones/serial.policy.ts).
    serial: bigint('serial', { mode: 'number' }).notNull(),
    // Incremented on each change; `appliedRevision` is what the name server has.
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
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

/** Serials of deleted zones, kept as long as a secondary may hold a copy. The table keeps its original name. */
export const deletedZones = pgTable('former_zones', {
  name: text('name').primaryKey(),
  serial: bigint('serial', { mode: 'number' }).notNull(),
  createdAt: createdAt()
})
