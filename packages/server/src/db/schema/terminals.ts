import { sql } from 'drizzle-orm'
import { index, integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { terminalEnds } from '@panel/contract/terminals'
import { at, createdAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const terminalEnd = pgEnum('terminal_end', terminalEnds)

/** Open terminals and their ends; never what was typed or shown. */
export const terminals = pgTable(
  'terminals',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The engine's id of the process. Set before it is started, so that a later worker can end it. */
    processId: text('process_id'),
    /** Its machine. Null for the panel's own, and for one that was removed, of which nothing can be ended. */
    nodeId: text('node_id').references(() => nodes.id, { onDelete: 'set null' }),
    /** Renewed while a process of the panel holds the terminal. */
    seenAt: at('seen_at').notNull(),
    endedAt: at('ended_at'),
    endReason: terminalEnd('end_reason'),
    exitCode: integer('exit_code'),
    createdAt: createdAt()
  },
  (t) => [
    index('terminals_open')
      .on(t.userId)
      .where(sql`ended_at is null`),
    index('terminals_project').on(t.projectId)
  ]
)
