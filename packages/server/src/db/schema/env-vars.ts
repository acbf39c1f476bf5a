import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { databases } from './databases.ts'
import { projects } from './projects.ts'

export const envVars = pgTable(
  'env_vars',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    value: text('value').notNull(), // sealed by the secret box
    sensitive: boolean('sensitive').notNull().default(true),
    // Database that set it and with which it is deleted; null once edited by hand.
    databaseId: text('database_id').references(() => databases.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('env_vars_key').on(t.projectId, t.key), index('env_vars_database').on(t.databaseId)]
)
