import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { type AccountRestoreItem, accountRestoreStatuses } from '@panel/contract/account-restores'
import { at, createdAt, updatedAt } from './columns.ts'
import type { StoredUpload } from './deployments.ts'

export const accountRestoreStatus = pgEnum('account_restore_status', accountRestoreStatuses)

/** Without what the parts of the restore say themselves. */
export type PlannedItem = Omit<AccountRestoreItem, 'status' | 'problem'>

/** What ran in the backup and is built again once its files and databases are there. */
interface RebuiltProject {
  projectId: string
  commitHash: string | null
  commitMsg: string | null
  buildCmd: string | null
  upload?: StoredUpload | null
}

export const accountRestores = pgTable(
  'account_restores',
  {
    id: text('id').primaryKey(),
    // These reference nothing: the result outlives the backup.
    backupId: text('backup_id').notNull(),
    backupTakenAt: at('backup_taken_at').notNull(),
    targetName: text('target_name').notNull(),
    email: text('email').notNull(),
    userId: text('user_id'),
    requestedBy: text('requested_by').notNull(),
    status: accountRestoreStatus('status').notNull().default('PLANNING'),
    items: jsonb('items').$type<PlannedItem[]>().notNull().default([]),
    skipped: text('skipped')
      .array()
      .notNull()
      .default(sql`'{}'`),
    rebuilt: jsonb('rebuilt').$type<RebuiltProject[]>().notNull().default([]),
    problem: text('problem'),
    workerId: integer('worker_id'),
    endedAt: at('ended_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('account_restores_open')
      .on(t.userId)
      .where(sql`status in ('STARTING', 'RUNNING')`),
    index('account_restores_list').on(t.createdAt),
    check('account_restores_worker', sql`worker_id is null or status in ('PLANNING', 'STARTING', 'RUNNING')`)
  ]
)
