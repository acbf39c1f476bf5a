import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  updatePolicies,
  type WordpressCopy,
  type WordpressReplacement,
  wordpressTaskKinds,
  wordpressTaskStatuses,
  wordpressTaskSteps,
  wordpressTaskTriggers,
  type WordpressTaskItem,
  type WordpressTaskProblem
} from '@panel/contract/wordpress-care'
import { at, createdAt, updatedAt } from './columns.ts'
import { databases } from './databases.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const wordpressUpdatePolicy = pgEnum('wordpress_update_policy', updatePolicies)
export const wordpressTaskKind = pgEnum('wordpress_task_kind', wordpressTaskKinds)
export const wordpressTaskTrigger = pgEnum('wordpress_task_trigger', wordpressTaskTriggers)
export const wordpressTaskStatus = pgEnum('wordpress_task_status', wordpressTaskStatuses)
export const wordpressTaskStep = pgEnum('wordpress_task_step', wordpressTaskSteps)

/** What the panel does for a site at which times. A row is inserted when it is first needed. */
export const wordpressSites = pgTable(
  'wordpress_sites',
  {
    projectId: text('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    updatePolicy: wordpressUpdatePolicy('update_policy').notNull().default('OFF'),
    nextUpdateAt: at('next_update_at'),
    // When the due events are looked for next.
    cronAt: at('cron_at'),
    cronCheckedAt: at('cron_checked_at'),
    nextEventAt: at('next_event_at'),
    lateSince: at('late_since'),
    // Of a staging copy: the site that it was made from, and the password for its visitors.
    stagingOf: text('staging_of').references(() => projects.id, { onDelete: 'set null' }),
    encryptedPassword: text('encrypted_password')
  },
  (t) => [index('wordpress_sites_staging').on(t.stagingOf)]
)

/** Updates and replacements: one at a time per project. After a crash the step decides whether the site is restored. */
export const wordpressTasks = pgTable(
  'wordpress_tasks',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    kind: wordpressTaskKind('kind').notNull(),
    trigger: wordpressTaskTrigger('trigger').notNull(),
    status: wordpressTaskStatus('status').notNull().default('RUNNING'),
    step: wordpressTaskStep('step').notNull().default('QUEUED'),
    items: jsonb('items').$type<WordpressTaskItem[]>().notNull().default([]),
    done: integer('done').notNull().default(0),
    replacement: jsonb('replacement').$type<WordpressReplacement>(),
    copy: jsonb('copy').$type<WordpressCopy>(),
    changed: integer('changed'),
    skipped: integer('skipped'),
    problem: jsonb('problem').$type<WordpressTaskProblem>().notNull().default([]),
    // Whether the owner had turned maintenance mode on.
    maintenance: boolean('maintenance').notNull().default(false),
    // The tables that a restore replaces.
    databaseId: text('database_id').references(() => databases.id, { onDelete: 'set null' }),
    tablePrefix: text('table_prefix'),
    // Copies of files and database, and the maintenance page, may exist until this is false.
    hasCopy: boolean('has_copy').notNull().default(false),
    // Of a change that succeeded: what it replaced is kept until then.
    undoUntil: at('undo_until'),
    undoBytes: bigint('undo_bytes', { mode: 'number' }).notNull().default(0),
    // Of an undo: the task that it undoes.
    undoOf: text('undo_of'),
    workerId: integer('worker_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('wordpress_tasks_undo')
      .on(t.undoUntil)
      .where(sql`undo_until is not null`),
    uniqueIndex('wordpress_tasks_running')
      .on(t.projectId)
      .where(sql`status = 'RUNNING' or has_copy`),
    index('wordpress_tasks_list').on(t.projectId, t.createdAt)
  ]
)
