import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { projects } from './projects.ts'

/** Last measured size of each container's writable layer; written only on change. */
export const containerDisk = pgTable(
  'container_disk',
  {
    containerId: text('container_id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    deploymentId: text('deployment_id').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    // Number of inodes; null if not counted.
    files: bigint('files', { mode: 'number' }),
    // When its owner was warned about the limit.
    warnedAt: at('warned_at')
  },
  (t) => [index('container_disk_project').on(t.projectId)]
)
