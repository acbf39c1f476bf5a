import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'

/** Folders that containers of a project mount at a path of their own. */
export const volumes = pgTable(
  'volumes',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    // In the container.
    path: text('path').notNull(),
    sizeMb: integer('size_mb').notNull(),
    // Directory name on disk; null until it exists, as for projects.
    filesName: text('files_name'),
    // When it got what the image has at its path; from then on containers mount it as it is.
    filledAt: at('filled_at'),
    usedBytes: bigint('used_bytes', { mode: 'number' }).notNull().default(0),
    measuredAt: at('measured_at'),
    // Since when it has been above its size.
    overSince: at('over_since'),
    // Its directory goes once no container mounts it any more.
    deletedAt: at('deleted_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('volumes_name')
      .on(t.projectId, t.name)
      .where(sql`deleted_at is null`),
    index('volumes_deleted')
      .on(t.projectId)
      .where(sql`deleted_at is not null`)
  ]
)
