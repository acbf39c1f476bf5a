import { index, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { tokenScopes } from '@panel/contract/api-tokens'
import { at, createdAt } from './columns.ts'
import { users } from './users.ts'

export const tokenScope = pgEnum('token_scope', tokenScopes)

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    // SHA-256; the token has 256 random bits, so no slow hash is needed.
    tokenHash: text('token_hash').notNull().unique(),
    scope: tokenScope('scope').notNull(),
    expiresAt: at('expires_at').notNull(),
    lastUsedAt: at('last_used_at'),
    createdAt: createdAt()
  },
  (t) => [index('api_tokens_user').on(t.userId)]
)
