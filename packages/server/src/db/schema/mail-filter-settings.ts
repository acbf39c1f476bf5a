import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, real, text } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { mailDomains } from './mail-domains.ts'

/** Spam settings per domain; domains without a row use the filter's defaults. */
export const mailFilterSettings = pgTable(
  'mail_filter_settings',
  {
    domainId: text('domain_id')
      .primaryKey()
      .references(() => mailDomains.domainId, { onDelete: 'cascade' }),
    isEnabled: boolean('is_enabled').notNull(),
    junkScore: real('junk_score').notNull(),
    refuseScore: real('refuse_score').notNull(),
    isGreylisting: boolean('is_greylisting').notNull(),
    allow: text('allow').array().notNull(),
    deny: text('deny').array().notNull(),
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('mail_filter_settings_stale')
      .on(t.domainId)
      .where(sql`applied_revision <> revision`),
    check('mail_filter_settings_scores', sql`junk_score <= refuse_score`)
  ]
)
