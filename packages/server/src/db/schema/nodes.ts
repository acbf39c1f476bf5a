import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

/** Machines of the installation. Currently there is one, with the installation's id. */
export const nodes = pgTable('nodes', {
  id: text('id').primaryKey(),
  // The panel's own network and the address pools of accounts, as JSON (wiring/network.ts).
  network: text('network'),
  // Last host port that was allocated.
  lastPort: integer('last_port'),
  createdAt: createdAt()
})
