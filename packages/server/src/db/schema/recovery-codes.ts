import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'
import { users } from './users.ts'

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(), // Argon2id
    usedAt: at('used_at'),
    createdAt: createdAt()
  },
  (t) => [index('recovery_codes_user').on(t.userId)]
)
