import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { domains } from './domains.ts'

/** Domains that have mail here: one that has, or had, a mailbox or an alias. The row is the lock of everything that hangs on it. */
export const mailDomains = pgTable(
  'mail_domains',
  {
    domainId: text('domain_id')
      .primaryKey()
      .references(() => domains.id, { onDelete: 'cascade' }),
    name: text('name').notNull().unique(),
    // Counts changes; behind it, `appliedRevision` says what the mail servers were given.
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
    // Its first mailbox came, and the features have not been told yet.
    isOpening: boolean('is_opening').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('mail_domains_stale')
      .on(t.domainId)
      .where(sql`applied_revision <> revision or is_opening`)
  ]
)
