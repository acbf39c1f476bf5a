import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { drillStarts } from '@panel/contract/backup-drills'
import type { BackedUpDatabase } from '@panel/contract/backups'
import { backupStatus, backupTrigger } from './backups.ts'
import { at, createdAt, updatedAt } from './columns.ts'

export const drillStart = pgEnum('drill_start', drillStarts)

/** Trial restores of backups, which show that they can be used. */
export const backupDrills = pgTable(
  'backup_drills',
  {
    id: text('id').primaryKey(),
    // Reference nothing: the result outlives the backup and the project, and names what has to be removed.
    projectId: text('project_id').notNull(),
    projectName: text('project_name').notNull(),
    backupId: text('backup_id').notNull(),
    backupTakenAt: at('backup_taken_at').notNull(),
    targetName: text('target_name').notNull(),
    trigger: backupTrigger('trigger').notNull(),
    status: backupStatus('status').notNull().default('QUEUED'),
    // Those of the backup; a scratch database is named by the drill and its place in this list.
    databases: jsonb('databases').$type<BackedUpDatabase[]>().notNull().default([]),
    files: integer('files'),
    bytes: bigint('bytes', { mode: 'number' }),
    restoreMs: integer('restore_ms'),
    startMs: integer('start_ms'),
    start: drillStart('start'),
    problem: text('problem'),
    // Whether files, databases or a container of this drill may be left.
    hasScratch: boolean('has_scratch').notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    workerId: integer('worker_id'),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    // One drill at a time: it takes disk and memory beside the sites.
    uniqueIndex('backup_drills_open')
      .on(sql`(true)`)
      .where(sql`status in ('QUEUED', 'RUNNING')`),
    index('backup_drills_scratch')
      .on(t.id)
      .where(sql`has_scratch`),
    index('backup_drills_list').on(t.projectId, t.createdAt),
    index('backup_drills_all').on(t.createdAt),
    check('backup_drills_worker', sql`(status = 'RUNNING') = (worker_id is not null)`)
  ]
)
