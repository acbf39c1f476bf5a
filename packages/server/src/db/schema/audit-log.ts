import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

/**
 * Append-only, in a hash chain: `hash` covers the entry and the hash before it (features/audit/audit-chain.policy.ts). Accounts are
 * named by id without a foreign key, so that entries outlive them.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey(),
    action: text('action').notNull(),
    actorId: text('actor_id'),
    targetId: text('target_id'),
    ip: text('ip'),
    userAgent: text('user_agent'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    hash: text('hash').notNull().default(''),
    createdAt: createdAt()
  },
  (t) => [
    index('audit_log_actor').on(t.actorId, t.id),
    index('audit_log_target').on(t.targetId, t.id),
    index('audit_log_action').on(t.action, t.id)
  ]
)
