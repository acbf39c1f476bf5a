import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

/** The machines of the installation: what lies on one of them has its id. Today there is one, whose id is the installation's own. */
export const nodes = pgTable('nodes', {
  id: text('id').primaryKey(),
  // The panel's own network on it and the ranges that accounts have theirs from, as JSON (wiring/network.ts).
  network: text('network'),
  // The host port that was handed out last.
  lastPort: integer('last_port'),
  createdAt: createdAt()
})
