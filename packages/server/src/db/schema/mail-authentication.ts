import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { mtaStsModes, type StoredAuthChecks } from '@panel/contract/mail-auth'
import { at } from './columns.ts'
import { mailDomains } from './mail-domains.ts'

export const mtaStsMode = pgEnum('mta_sts_mode', mtaStsModes)

/** Mail domains that have or had DKIM keys, with the last DNS check of those whose DNS is elsewhere. */
export const mailAuthentication = pgTable(
  'mail_authentication',
  {
    domainId: text('domain_id')
      .primaryKey()
      .references(() => mailDomains.domainId, { onDelete: 'cascade' }),
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
    checkedAt: at('checked_at'),
    checks: jsonb('checks').$type<StoredAuthChecks>(),
    foundRecords: text('found_records')
      .array()
      .notNull()
      .default(sql`'{}'`),
    mtaStsMode: mtaStsMode('mta_sts_mode').notNull().default('testing')
  },
  (t) => [
    index('mail_authentication_stale')
      .on(t.domainId)
      .where(sql`applied_revision <> revision`),
    index('mail_authentication_checked').on(t.checkedAt)
  ]
)
