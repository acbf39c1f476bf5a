import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { StoredRule } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { updatedAt } from './columns.ts'
import { domains } from './domains.ts'
import { projects } from './projects.ts'

/** One row per domain, because rules are read and replaced as a whole. */
export const domainRules = pgTable('domain_rules', {
  domainId: text('domain_id')
    .primaryKey()
    .references(() => domains.id, { onDelete: 'cascade' }),
  rules: jsonb('rules').$type<StoredRule[]>().notNull(),
  version: integer('version').notNull(),
  updatedAt: updatedAt()
})

/** Of the hostname that the panel gives a project. */
export const projectRules = pgTable('project_rules', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  rules: jsonb('rules').$type<StoredRule[]>().notNull(),
  updatedAt: updatedAt()
})
