import { sql } from 'drizzle-orm'
import { check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

/** Server-wide reservations, because one proxy serves all: by project, or by the account of a verified domain. */
export const hostNames = pgTable(
  'host_names',
  {
    hostname: text('hostname').primaryKey(),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt()
  },
  (t) => [
    index('host_names_project').on(t.projectId),
    check('host_names_holder', sql`(${t.projectId} is null) <> (${t.userId} is null)`)
  ]
)
