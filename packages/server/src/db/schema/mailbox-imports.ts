import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import { mailboxImportSecurities, mailboxImportStatuses } from '@panel/contract/mailbox-imports'
import { at, createdAt, updatedAt } from './columns.ts'
import { mailboxes } from './mailboxes.ts'
import { users } from './users.ts'

export const mailboxImportStatus = pgEnum('mailbox_import_status', mailboxImportStatuses)
export const mailboxImportSecurity = pgEnum('mailbox_import_security', mailboxImportSecurities)

const whole = (name: string) => bigint(name, { mode: 'number' })

export const mailboxImports = pgTable(
  'mailbox_imports',
  {
    id: text('id').primaryKey(),
    mailboxId: text('mailbox_id')
      .notNull()
      .references(() => mailboxes.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    status: mailboxImportStatus('status').notNull().default('QUEUED'),
    host: text('host').notNull(),
    port: integer('port').notNull(),
    security: mailboxImportSecurity('security').notNull(),
    username: text('username').notNull(),
    // Sealed; cleared when the import ends.
    password: text('password'),
    // Null: all folders.
    folders: text('folders').array(),
    foldersDone: integer('folders_done').notNull().default(0),
    messagesDone: whole('messages_done').notNull().default(0),
    bytesDone: whole('bytes_done').notNull().default(0),
    foldersTotal: integer('folders_total'),
    messagesTotal: whole('messages_total'),
    bytesTotal: whole('bytes_total'),
    leftOut: jsonb('left_out').$type<{ folder: string; reason: string; messages: number }[]>().notNull().default([]),
    reason: text('reason'),
    failures: integer('failures').notNull().default(0),
    queuedAt: at('queued_at').notNull().defaultNow(),
    notBefore: at('not_before').notNull().defaultNow(),
    workerId: integer('worker_id'),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('mailbox_imports_open')
      .on(t.mailboxId)
      .where(sql`status in ('QUEUED', 'RUNNING')`),
    uniqueIndex('mailbox_imports_running')
      .on(t.userId)
      .where(sql`status = 'RUNNING'`),
    index('mailbox_imports_queue')
      .on(t.queuedAt)
      .where(sql`status = 'QUEUED'`),
    index('mailbox_imports_account')
      .on(t.userId)
      .where(sql`status in ('QUEUED', 'RUNNING')`),
    index('mailbox_imports_list').on(t.mailboxId, t.createdAt),
    check('mailbox_imports_password', sql`(status in ('QUEUED', 'RUNNING')) = (password is not null)`),
    check('mailbox_imports_worker', sql`(status = 'RUNNING') = (worker_id is not null)`)
  ]
)

/** Kept after an import, so that the next one fetches only new mail (infra/mailbox-copier). */
export const mailboxImportPositions = pgTable(
  'mailbox_import_positions',
  {
    mailboxId: text('mailbox_id')
      .notNull()
      .references(() => mailboxes.id, { onDelete: 'cascade' }),
    host: text('host').notNull(),
    username: text('username').notNull(),
    path: text('path').notNull(),
    uidValidity: whole('uid_validity').notNull(),
    lastUid: whole('last_uid').notNull(),
    target: text('target').notNull(),
    targetUidValidity: whole('target_uid_validity').notNull(),
    targetUidNext: whole('target_uid_next').notNull(),
    updatedAt: updatedAt()
  },
  (t) => [primaryKey({ columns: [t.mailboxId, t.host, t.username, t.path] })]
)
