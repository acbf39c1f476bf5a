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

/**
 * Append-only, in a hash chain: `hash` covers the entry and the hash before it (features/audit/audit-chain.policy.ts). Accounts are
 * named by id without a foreign key, so that entries outlive them.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey(),
    ...entry,
    hash: text('hash').notNull().default(''),
    // Its id in audit_pending; null of entries from before there was that.
    entryId: text('entry_id').unique()
  },
  (t) => [
    index('audit_log_actor').on(t.actorId, t.id),
    index('audit_log_target').on(t.targetId, t.id),
    index('audit_log_action').on(t.action, t.id)
  ]
)

/**
 * Where the chain was cut: entries up to `lastId` are in the archive, and the next one follows from `lastHash`. Sealed
 * (features/audit/checkpoint.policy.ts), so that nobody who can write to the store alone makes one.
 */
export const auditCheckpoints = pgTable('audit_checkpoints', {
  firstId: bigint('first_id', { mode: 'number' }).primaryKey(),
  lastId: bigint('last_id', { mode: 'number' }).notNull().unique(),
  lastHash: text('last_hash').notNull(),
  /** The latest time of its entries: an older one that comes now was there before. */
  until: at('until').notNull(),
  /** In the directory of the archives, and its SHA-256 in hex. */
  archive: text('archive').notNull(),
  archiveHash: text('archive_hash').notNull(),
  createdAt: createdAt(),
  seal: text('seal').notNull()
})

/** Entries as acts write them, each for itself and sealed: they wait here for their place in the chain. */
export const auditPending = pgTable('audit_pending', {
  id: text('id').primaryKey(),
  position: bigserial('position', { mode: 'number' }).notNull(),
  ...entry,
  seal: text('seal').notNull()
})
