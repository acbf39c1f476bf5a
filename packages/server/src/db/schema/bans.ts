import type { BanReason } from '@panel/contract/bans'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

const nodeId = () =>
  text('node_id')
    .notNull()
    .references(() => nodes.id, { onDelete: 'cascade' })
const createdBy = () => text('created_by').references(() => users.id, { onDelete: 'set null' })

/** Addresses that a machine blocks. A row stays after its ban has ended, until its offences are forgiven. */
export const bans = pgTable(
  'bans',
  {
    id: text('id').primaryKey(),
    nodeId: nodeId(),
    // An IPv4 address or the /64 of an IPv6 address, as limitKey writes it.
    address: text('address').notNull(),
    reason: text('reason').$type<BanReason>().notNull(),
    note: text('note').notNull().default(''),
    attempts: integer('attempts').notNull().default(0),
    offences: integer('offences').notNull().default(0),
    bannedAt: at('banned_at').notNull(),
    // Null: until someone removes it.
    until: at('until'),
    createdBy: createdBy()
  },
  (t) => [uniqueIndex('bans_address').on(t.nodeId, t.address), index('bans_time').on(t.nodeId, t.bannedAt, t.id)]
)

/** Networks whose addresses a machine never bans. */
export const allowedNetworks = pgTable(
  'allowed_networks',
  {
    id: text('id').primaryKey(),
    nodeId: nodeId(),
    network: text('network').notNull(),
    note: text('note').notNull().default(''),
    createdBy: createdBy(),
    createdAt: createdAt()
  },
  (t) => [uniqueIndex('allowed_networks_network').on(t.nodeId, t.network)]
)
