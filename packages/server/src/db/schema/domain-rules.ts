import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { StoredRule } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { updatedAt } from './columns.ts'
import { domains } from './domains.ts'

/** One row per domain, because rules are read and replaced as a whole. */
export const domainRules = pgTable('domain_rules', {
  domainId: text('domain_id')
    .primaryKey()
    .references(() => domains.id, { onDelete: 'cascade' }),
  rules: jsonb('rules').$type<StoredRule[]>().notNull(),
  version: integer('version').notNull(),
  updatedAt: updatedAt()
})
