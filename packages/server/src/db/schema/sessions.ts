import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'
import { users } from './users.ts'

export const sessions = pgTable(
  'sessions',
  {
    // HMAC of the cookie's token under SESSION_SECRET: a copy of the table opens no session.
    idHash: text('id_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ip: text('ip'),
    userAgent: text('user_agent'),
    expiresAt: at('expires_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull().defaultNow(),
    revokedAt: at('revoked_at'),
    // When the user last entered the password, and the two-factor code if two-factor is on.
    provedAt: at('proved_at').notNull().defaultNow(),
    createdAt: createdAt()
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)]
)
