import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'
import { projects } from './projects.ts'

/** A row for every directory of a snapshot: inserted before the directory is made, deleted after it is removed. */
export const fileSnapshots = pgTable(
  'file_snapshots',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    // Being removed: must not be restored any more.
    isRemoved: boolean('is_removed').notNull().default(false),
    createdAt: createdAt()
  },
  (t) => [index('file_snapshots_list').on(t.projectId, t.id)]
)
