import { sql } from 'drizzle-orm'
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { mailDomains } from './mail-domains.ts'

/** An empty local part is the domain's catch-all. */
export const mailAliases = pgTable(
  'mail_aliases',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => mailDomains.domainId, { onDelete: 'cascade' }),
    localPart: text('local_part').notNull(),
    targets: text('targets')
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('mail_aliases_address_key').on(t.domainId, t.localPart)]
)
