import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt, updatedAt } from './columns.ts'
import { mailDomains } from './mail-domains.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

/** A mailbox; one that was deleted stays, with its mail, until `purgeAt`. */
export const mailboxes = pgTable(
  'mailboxes',
  {
    id: text('id').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => mailDomains.domainId, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    // The machine that has its mail.
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    // In lower case.
    localPart: text('local_part').notNull(),
    // Argon2id in PHC form, as the spec has it; Dovecot takes it as it is.
    passwordHash: text('password_hash').notNull(),
    quotaMb: integer('quota_mb').notNull(),
    isEnabled: boolean('is_enabled').notNull().default(true),
    // Out of office (features/mailboxes/autoreply.policy.ts); null where there is none.
    autoreplySubject: text('autoreply_subject'),
    autoreplyText: text('autoreply_text'),
    autoreplyFrom: at('autoreply_from'),
    autoreplyUntil: at('autoreply_until'),
    deletedAt: at('deleted_at'),
    purgeAt: at('purge_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('mailboxes_address_key')
      .on(t.domainId, t.localPart)
      .where(sql`deleted_at is null`),
    index('mailboxes_user').on(t.userId, t.id),
    index('mailboxes_purge')
      .on(t.purgeAt)
      .where(sql`purge_at is not null`),
    check('mailboxes_deleted', sql`(deleted_at is null) = (purge_at is null)`)
  ]
)
