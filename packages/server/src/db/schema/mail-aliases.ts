import { sql } from 'drizzle-orm'
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { mailDomains } from './mail-domains.ts'

/** Where mail to an address goes that is no mailbox, or besides its mailbox. An empty local part is the catch-all of the domain. */
export const mailAliases = pgTable(
  'mail_aliases',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => mailDomains.domainId, { onDelete: 'cascade' }),
    localPart: text('local_part').notNull(),
    // Whole addresses, in lower case.
    targets: text('targets')
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('mail_aliases_address_key').on(t.domainId, t.localPart)]
)
