import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { users } from './users.ts'

/** Credentials of an account for an image registry. */
export const registries = pgTable(
  'registries',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    host: text('host').notNull(),
    username: text('username').notNull(),
    secret: text('secret').notNull(), // sealed by the secret box
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [uniqueIndex('registries_host_key').on(t.userId, t.host)]
)
