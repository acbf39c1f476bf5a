import { bigint, bigserial, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'

const entry = {
  action: text('action').notNull(),
  actorId: text('actor_id'),
  targetId: text('target_id'),
  ip: text('ip'),
  userAgent: text('user_agent'),
  metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
  createdAt: createdAt()
}

/** Append-only hash chain (features/audit/audit-chain.policy.ts). No foreign keys, because entries outlive accounts. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey(),
    ...entry,
    hash: text('hash').notNull().default(''),
    // Id in audit_pending; null for entries older than that table.
    entryId: text('entry_id').unique()
  },
  (t) => [
    index('audit_log_actor').on(t.actorId, t.id),
    index('audit_log_target').on(t.targetId, t.id),
    index('audit_log_action').on(t.action, t.id)
  ]
)

/** Where the chain was cut: entries up to `lastId` are archived. Sealed (features/audit/checkpoint.policy.ts). */
export const auditCheckpoints = pgTable('audit_checkpoints', {
  firstId: bigint('first_id', { mode: 'number' }).primaryKey(),
  lastId: bigint('last_id', { mode: 'number' }).notNull().unique(),
  lastHash: text('last_hash').notNull(),
  /** Latest time of its entries; an entry with an earlier time cannot be new. */
  until: at('until').notNull(),
  /** File name in the archive directory; its SHA-256 in hex follows. */
  archive: text('archive').notNull(),
  archiveHash: text('archive_hash').notNull(),
  createdAt: createdAt(),
  seal: text('seal').notNull()
})

export const auditPending = pgTable('audit_pending', {
  id: text('id').primaryKey(),
  position: bigserial('position', { mode: 'number' }).notNull(),
  ...entry,
  seal: text('seal').notNull()
})
