import { sql } from 'drizzle-orm'
import { index, integer, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt } from './columns.ts'
import { domains } from './domains.ts'
import { users } from './users.ts'

export const dkimKeyStatus = pgEnum('dkim_key_status', ['ACTIVE', 'RETIRING', 'RETIRED'])

/** DKIM keys of a domain. The one with the latest `signsSince` that is not RETIRED signs; the ACTIVE one will. */
export const dkimKeys = pgTable(
  'dkim_keys',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    selector: text('selector').notNull(),
    status: dkimKeyStatus('status').notNull().default('ACTIVE'),
    // SPKI DER in Base64: the `p=` tag of its record (RFC 6376 §3.6.1).
    publicKey: text('public_key').notNull(),
    // PKCS #8 PEM, sealed by the secret box; empty when RETIRED.
    encryptedPrivateKey: text('encrypted_private_key').notNull(),
    keyLength: integer('key_length').notNull(),
    // Start of signing; null until its DNS record is found.
    signsSince: at('signs_since'),
    createdAt: createdAt(),
    retiredAt: at('retired_at')
  },
  (t) => [
    uniqueIndex('dkim_keys_selector_key').on(t.domainId, t.selector),
    uniqueIndex('dkim_keys_active')
      .on(t.domainId)
      .where(sql`status = 'ACTIVE'`),
    index('dkim_keys_awaited')
      .on(t.domainId)
      .where(sql`status = 'ACTIVE' and signs_since is null`),
    index('dkim_keys_user').on(t.userId)
  ]
)
