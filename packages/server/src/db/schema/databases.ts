import { sql } from 'drizzle-orm'
import { boolean, index, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { databaseTypes } from '@panel/contract/databases'
import { createdAt, updatedAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const databaseType = pgEnum('database_type', databaseTypes)

// Only ACTIVE databases are shown; the reconcile loop finishes interrupted changes of the others.
export const databaseStatus = pgEnum('database_status', ['PROVISIONING', 'ACTIVE', 'DELETING'])

export const databases = pgTable(
  'databases',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    name: text('name').notNull(),
    type: databaseType('type').notNull(),
    status: databaseStatus('status').notNull().default('PROVISIONING'),
    projectId: text('project_id').references(() => projects.id, { onDelete: 'set null' }),
    autoInjectEnv: boolean('auto_inject_env').notNull().default(false),
    username: text('username').notNull(),
    encryptedPassword: text('encrypted_password').notNull(), // sealed by the secret box
    // During a rotation: the password that the engine has or is about to get.
    encryptedNextPassword: text('encrypted_next_password'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('databases_name_key').on(t.nodeId, t.type, sql`lower(${t.name})`),
    uniqueIndex('databases_username_key').on(t.nodeId, t.username),
    index('databases_list').on(t.userId, t.createdAt, t.id),
    index('databases_project').on(t.projectId),
    index('databases_unfinished')
      .on(t.updatedAt)
      .where(sql`status <> 'ACTIVE' or encrypted_next_password is not null`)
  ]
)
