import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { projects } from './projects.ts'

export const containerDisk = pgTable(
  'container_disk',
  {
    containerId: text('container_id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    deploymentId: text('deployment_id').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    files: bigint('files', { mode: 'number' }),
    warnedAt: at('warned_at')
  },
  (t) => [index('container_disk_project').on(t.projectId)]
)
