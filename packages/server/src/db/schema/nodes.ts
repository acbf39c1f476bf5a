import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

/** Machines of the installation. Currently there is one, with the installation's id. */
export const nodes = pgTable('nodes', {
  id: text('id').primaryKey(),
  network: text('network'),
  lastPort: integer('last_port'),
  createdAt: createdAt()
})
