import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

/**
 * The row is deleted only when the engine has removed the network, so that its number and subnet are not reused early.
 */
export const accountNetworks = pgTable(
  'account_networks',
  {
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    number: integer('number').notNull(),
    uid: integer('uid')
      .notNull()
      .references(() => users.uid),
    subnet: text('subnet').notNull(),
    createdAt: createdAt()
  },
  (t) => [
    primaryKey({ columns: [t.nodeId, t.number] }),
    uniqueIndex('account_networks_subnet').on(t.nodeId, t.subnet),
    index('account_networks_uid').on(t.uid)
  ]
)
