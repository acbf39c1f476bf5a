import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

/**
 * The networks of accounts on each node. An account has one, and a further one when that is full. A row goes when its network is gone
 * from the engine: until then nobody else gets its number and subnet.
 */
export const accountNetworks = pgTable(
  'account_networks',
  {
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    // Names the network and its bridge.
    number: integer('number').notNull(),
    uid: integer('uid')
      .notNull()
      .references(() => users.uid),
    // CIDR.
    subnet: text('subnet').notNull(),
    createdAt: createdAt()
  },
  (t) => [
    primaryKey({ columns: [t.nodeId, t.number] }),
    uniqueIndex('account_networks_subnet').on(t.nodeId, t.subnet),
    index('account_networks_uid').on(t.uid)
  ]
)
