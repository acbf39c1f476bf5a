import { boolean, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'

export const statusPages = pgTable('status_pages', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  slug: text('slug').notNull().unique('status_pages_slug'),
  title: text('title').notNull(),
  isEnabled: boolean('is_enabled').notNull(),
  showDays: smallint('show_days').notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt()
})
