import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import { tokenScope } from './api-tokens.ts'
import { at, createdAt } from './columns.ts'
import { users } from './users.ts'

/** Sign-ins that wait for a code to be confirmed in the browser (RFC 8628). A row is deleted when its token is taken. */
export const deviceLogins = pgTable(
  'device_logins',
  {
    id: text('id').primaryKey(),
    // SHA-256 of 256 random bits.
    deviceCodeHash: text('device_code_hash').notNull().unique(),
    userCodeHash: text('user_code_hash').notNull().unique(),
    name: text('name').notNull(),
    scope: tokenScope('scope').notNull(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    // Who answered; null until then.
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    isApproved: boolean('is_approved').notNull().default(false),
    expiresAt: at('expires_at').notNull(),
    polledAt: at('polled_at'),
    createdAt: createdAt()
  },
  (t) => [index('device_logins_user').on(t.userId), index('device_logins_expiry').on(t.expiresAt)]
)
