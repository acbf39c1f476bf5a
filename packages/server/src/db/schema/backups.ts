import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  type BackedUpDatabase,
  backupStatuses,
  backupSubjects,
  backupTargetKinds,
  backupTriggers,
  restoreKinds,
  restoreStatuses
} from '@panel/contract/backups'
import { at, createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'

export const backupTargetKind = pgEnum('backup_target_kind', backupTargetKinds)
export const backupStatus = pgEnum('backup_status', backupStatuses)
export const backupSubject = pgEnum('backup_subject', backupSubjects)
export const backupTrigger = pgEnum('backup_trigger', backupTriggers)
export const restoreKind = pgEnum('restore_kind', restoreKinds)
export const restoreStatus = pgEnum('restore_status', restoreStatuses)

const whole = (name: string) => bigint(name, { mode: 'number' })

export const backupTargets = pgTable(
  'backup_targets',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    kind: backupTargetKind('kind').notNull(),
    location: text('location').notNull(),
    encryptedPlace: text('encrypted_place').notNull(), // JSON, sealed by the secret box
    encryptedKey: text('encrypted_key').notNull(),
    isKeyConfirmed: boolean('is_key_confirmed').notNull().default(false),
    // Whether the panel itself is backed up there: it contains the keys to everything.
    holdsPanel: boolean('holds_panel').notNull().default(false),
    lastGoodAt: at('last_good_at'),
    lastCheckedAt: at('last_checked_at'),
    // Counts the checks: each one reads another part of the data.
    checks: integer('checks').notNull().default(0),
    // The worker that removes old backups and checks the repository; no backup runs meanwhile.
    workerId: integer('worker_id'),
    problem: text('problem'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('backup_targets_name').on(sql`lower(${t.name})`)]
)

export const backups = pgTable(
  'backups',
  {
    id: text('id').primaryKey(),
    subject: backupSubject('subject').notNull().default('PROJECT'),
    // Reference nothing, because backups outlive their project and its account. Null for a backup of the panel.
    projectId: text('project_id'),
    userId: text('user_id'),
    projectName: text('project_name'),
    targetId: text('target_id')
      .notNull()
      .references(() => backupTargets.id, { onDelete: 'cascade' }),
    status: backupStatus('status').notNull().default('QUEUED'),
    trigger: backupTrigger('trigger').notNull(),
    snapshotId: text('snapshot_id'),
    bytesDone: whole('bytes_done').notNull().default(0),
    bytesTotal: whole('bytes_total').notNull().default(0),
    files: integer('files'),
    bytes: whole('bytes'),
    bytesAdded: whole('bytes_added'),
    databases: jsonb('databases').$type<BackedUpDatabase[]>().notNull().default([]),
    excluded: text('excluded').array().notNull().default([]),
    volumes: text('volumes').array().notNull().default([]),
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    workerId: integer('worker_id'),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('backups_open')
      .on(sql`coalesce(${t.projectId}, '')`, t.targetId)
      .where(sql`status in ('QUEUED', 'RUNNING')`),
    // A repository is written by one backup at a time.
    uniqueIndex('backups_running')
      .on(t.targetId)
      .where(sql`status = 'RUNNING'`),
    index('backups_queue')
      .on(t.createdAt)
      .where(sql`status = 'QUEUED'`),
    index('backups_list').on(t.projectId, t.createdAt),
    index('backups_all').on(t.createdAt),
    index('backups_snapshot').on(t.targetId, t.snapshotId),
    check(
      'backups_of',
      sql`(subject = 'PROJECT') = (project_id is not null and user_id is not null and project_name is not null)`
    ),
    check('backups_worker', sql`(status = 'RUNNING') = (worker_id is not null)`),
    check('backups_good', sql`status <> 'GOOD' or snapshot_id is not null`)
  ]
)

/** No row: the schedule of the server, and nothing is skipped. */
export const projectBackupSettings = pgTable('project_backup_settings', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  isEnabled: boolean('is_enabled').notNull(),
  hour: integer('hour').notNull(),
  minute: integer('minute').notNull(),
  weekdays: integer('weekdays').array().notNull(),
  excluded: text('excluded').array().notNull(),
  // The latest time of this schedule whose backups were queued, or the last change of the schedule.
  queuedAt: at('queued_at').notNull(),
  updatedAt: updatedAt()
})

export const restores = pgTable(
  'restores',
  {
    id: text('id').primaryKey(),
    // One of the two; neither for a database without a project in the restore of an account.
    projectId: text('project_id'),
    mailboxId: text('mailbox_id'),
    // The restore of an account that this is a part of.
    accountRestoreId: text('account_restore_id'),
    userId: text('user_id').notNull(),
    // References nothing: what a restore keeps for undoing must outlive the backup.
    backupId: text('backup_id').notNull(),
    kind: restoreKind('kind').notNull(),
    path: text('path'),
    // Of files: the volume that they are restored into. Null: the files of the project.
    volumeId: text('volume_id'),
    volumeName: text('volume_name'),
    databaseId: text('database_id'),
    databaseName: text('database_name'),
    // For a database that comes back as it was: name, user, password and link as JSON, sealed by the secret box.
    encryptedDatabase: text('encrypted_database'),
    status: restoreStatus('status').notNull().default('QUEUED'),
    problem: text('problem'),
    undoUntil: at('undo_until'),
    workerId: integer('worker_id'),
    endedAt: at('ended_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('restores_open')
      .on(sql`coalesce(${t.projectId}, ${t.mailboxId})`)
      .where(sql`status in ('QUEUED', 'RUNNING') and account_restore_id is null`),
    index('restores_list').on(t.projectId, t.createdAt),
    index('restores_of_mailbox').on(t.mailboxId, t.createdAt),
    index('restores_of_account')
      .on(t.accountRestoreId)
      .where(sql`account_restore_id is not null`),
    check('restores_of', sql`num_nonnulls(project_id, mailbox_id) = 1 or account_restore_id is not null`),
    index('restores_kept')
      .on(t.undoUntil)
      .where(sql`undo_until is not null`),
    check('restores_worker', sql`(status = 'RUNNING') = (worker_id is not null)`)
  ]
)
