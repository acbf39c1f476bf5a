import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt, updatedAt } from './columns.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

export const sftpUsers = pgTable(
  'sftp_users',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .unique()
      .references(() => users.id),
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    linuxUsername: text('linux_username').notNull(),
    encryptedPassword: text('encrypted_password').notNull(), // sealed by the secret box
    sshPublicKeys: text('ssh_public_keys')
      .array()
      .notNull()
      .default(sql`'{}'`),
    isEnabled: boolean('is_enabled').notNull().default(true),
    revision: integer('revision').notNull().default(1),
    appliedRevision: integer('applied_revision').notNull().default(0),
    // The user is deleted: remove the system account, then this row.
    removedAt: at('removed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('sftp_users_linux_username_key').on(t.nodeId, t.linuxUsername),
    index('sftp_users_stale')
      .on(t.id)
      .where(sql`applied_revision <> revision or removed_at is not null`)
  ]
)
