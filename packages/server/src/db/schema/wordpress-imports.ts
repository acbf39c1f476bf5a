import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ErrorCode } from '@panel/contract/errors'
import { importStatuses, importSteps, type WordpressNotes, type WordpressProblem } from '@panel/contract/wordpress'
import { createdAt, updatedAt } from './columns.ts'
import { databases } from './databases.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const importStatus = pgEnum('wordpress_import_status', importStatuses)

export const importStep = pgEnum('wordpress_import_step', importSteps)

/** WordPress imports: one at a time per project. After a crash the step decides whether to resume or roll back. */
export const wordpressImports = pgTable(
  'wordpress_imports',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    status: importStatus('status').notNull().default('RUNNING'),
    step: importStep('step').notNull().default('RECEIVING'),
    // The site's database, and the staging database that receives the dump before the two are swapped.
    databaseId: text('database_id').references(() => databases.id, { onDelete: 'set null' }),
    stagingDatabase: text('staging_database'),
    files: integer('files').notNull().default(0),
    tables: integer('tables').notNull().default(0),
    replacedAddress: text('replaced_address'),
    deploymentId: text('deployment_id'),
    notes: text('notes')
      .array()
      .notNull()
      .default(sql`'{}'`),
    noteSentences: jsonb('note_sentences').$type<WordpressNotes>().notNull().default([]),
    errorCode: text('error_code').$type<ErrorCode>(),
    errorMessage: text('error_message'),
    errorSentences: jsonb('error_sentences').$type<WordpressProblem>().notNull().default([]),
    workerId: integer('worker_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('wordpress_imports_running')
      .on(t.projectId)
      .where(sql`status = 'RUNNING'`),
    index('wordpress_imports_list').on(t.projectId, t.createdAt)
  ]
)
