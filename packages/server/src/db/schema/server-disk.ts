import { type DiskCleanupKind, type DiskCleanupResult, diskCleanupStatuses, type ServerDiskFileSystem, type ServerDiskProject } from '@panel/contract/server-disk' // oxfmt-ignore
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

const nodeId = () =>
  text('node_id')
    .notNull()
    .references(() => nodes.id, { onDelete: 'cascade' })

/** The latest measurement of each machine's disks. */
export const diskMeasurements = pgTable('disk_measurements', {
  nodeId: nodeId().primaryKey(),
  measuredAt: at('measured_at').notNull(),
  tookMs: integer('took_ms').notNull(),
  disks: jsonb('disks').$type<ServerDiskFileSystem[]>().notNull(),
  projects: jsonb('projects').$type<ServerDiskProject[]>().notNull(),
  // Keys of the alerts that administrators were notified of.
  alerts: jsonb('alerts').$type<string[]>().notNull().default([])
})

export const diskCleanupStatus = pgEnum('disk_cleanup_status', diskCleanupStatuses)

export const diskCleanups = pgTable(
  'disk_cleanups',
  {
    id: text('id').primaryKey(),
    nodeId: nodeId(),
    status: diskCleanupStatus('status').notNull().default('QUEUED'),
    kinds: jsonb('kinds').$type<DiskCleanupKind[]>().notNull(),
    results: jsonb('results').$type<DiskCleanupResult[]>().notNull().default([]),
    requestedBy: text('requested_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    endedAt: at('ended_at')
  },
  (t) => [
    uniqueIndex('disk_cleanups_open')
      .on(t.nodeId)
      .where(sql`status in ('QUEUED', 'RUNNING')`),
    index('disk_cleanups_latest').on(t.nodeId, t.createdAt),
    index('disk_cleanups_requested_by').on(t.requestedBy)
  ]
)
