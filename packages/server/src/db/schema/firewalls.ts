import type { FirewallAction, FirewallRule, FirewallRuleset } from '@panel/contract/firewall'
import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { at, updatedAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

/** Firewall of each machine, and the change that is on trial. A machine without a row has no firewall. */
export const firewalls = pgTable('firewalls', {
  nodeId: text('node_id')
    .primaryKey()
    .references(() => nodes.id, { onDelete: 'cascade' }),
  version: integer('version').notNull().default(0),
  isEnabled: boolean('is_enabled').notNull().default(false),
  defaultAction: text('default_action').$type<FirewallAction>().notNull().default('DENY'),
  rules: jsonb('rules').$type<FirewallRule[]>().notNull().default([]),
  pendingId: text('pending_id'),
  pendingRuleset: jsonb('pending_ruleset').$type<FirewallRuleset>(),
  pendingBy: text('pending_by').references(() => users.id, { onDelete: 'set null' }),
  pendingSince: at('pending_since'),
  // When the rules were in force: a confirmation must come by a connection that was opened later.
  pendingAppliedAt: at('pending_applied_at'),
  pendingUntil: at('pending_until'),
  updatedAt: updatedAt()
})
