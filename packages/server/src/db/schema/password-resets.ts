import { pgTable, text } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'
import { users } from './users.ts'

export const passwordResets = pgTable('password_resets', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: at('expires_at').notNull(),
  createdAt: createdAt()
})
