import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'
import { projects } from './projects.ts'

/** A row for every directory of an upload: inserted before the directory is made, deleted after it is removed. */
export const sourceUploads = pgTable(
  'source_uploads',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    // Being removed: must not be built any more.
    isRemoved: boolean('is_removed').notNull().default(false),
    createdAt: createdAt()
  },
  (t) => [index('source_uploads_list').on(t.projectId, t.id)]
)
