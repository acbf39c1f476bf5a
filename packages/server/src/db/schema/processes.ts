import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import { at, createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'

/** Workers of a project. Those of a Procfile get their row when its release goes live, and keep it for later releases. */
export const processes = pgTable(
  'processes',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    // Null: that of the release's Procfile; without one there, the process does not run.
    command: text('command'),
    instances: integer('instances').notNull(),
    // Null: the limits of the server.
    memoryMb: integer('memory_mb'),
    cpus: real('cpus'),
    // Each restart counts it up, so that the containers of the count before are replaced.
    restarts: integer('restarts').notNull().default(0),
    crashingSince: at('crashing_since'),
    lastLines: text('last_lines'),
    // When it last ran out of memory in this release, and how much it had.
    outOfMemoryAt: at('out_of_memory_at'),
    outOfMemoryMb: integer('out_of_memory_mb'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.name] }),
    index('processes_crashing')
      .on(t.projectId)
      .where(sql`crashing_since is not null`)
  ]
)
