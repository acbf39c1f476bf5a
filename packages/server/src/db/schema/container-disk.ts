import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { projects } from './projects.ts'

/** What each container was last found to have in its own layer; written only where that has changed. */
export const containerDisk = pgTable(
  'container_disk',
  {
    containerId: text('container_id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    deploymentId: text('deployment_id').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    // Files, directories and whatever else takes an inode; null where they have not been counted.
    files: bigint('files', { mode: 'number' }),
    // Its owner was told that it comes near a limit.
    warnedAt: at('warned_at')
  },
  (t) => [index('container_disk_project').on(t.projectId)]
)
