import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, createdAt, updatedAt } from './columns.ts'
import { mailDomains } from './mail-domains.ts'
import { nodes } from './nodes.ts'
import { users } from './users.ts'

/** A deleted mailbox is kept with its mail until `purgeAt`, even if its domain is deleted. */
export const mailboxes = pgTable(
  'mailboxes',
  {
    id: text('id').primaryKey(),
    // Null for a deleted mailbox whose domain is gone.
    domainId: text('domain_id').references(() => mailDomains.domainId, { onDelete: 'set null' }),
    domainName: text('domain_name').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id),
    localPart: text('local_part').notNull(),
    // Argon2id in PHC format, which Dovecot reads directly.
    passwordHash: text('password_hash').notNull(),
    // Incremented on each password change; sessions opened before `sessionsRevision` have been ended.
    passwordRevision: integer('password_revision').notNull().default(1),
    sessionsRevision: integer('sessions_revision').notNull().default(1),
    quotaMb: integer('quota_mb').notNull(),
    isEnabled: boolean('is_enabled').notNull().default(true),
    autoreplySubject: text('autoreply_subject'),
    autoreplyText: text('autoreply_text'),
    autoreplyFrom: at('autoreply_from'),
    autoreplyUntil: at('autoreply_until'),
    deletedAt: at('deleted_at'),
    purgeAt: at('purge_at'),
    // When its mail was moved to the trash; null while it is in the mailbox.
    keptAt: at('kept_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    uniqueIndex('mailboxes_address_key')
      .on(t.domainName, t.localPart)
      .where(sql`deleted_at is null`),
    index('mailboxes_domain').on(t.domainId),
    index('mailboxes_unmoved')
      .on(t.domainName)
      .where(sql`(deleted_at is null) <> (kept_at is null)`),
    index('mailboxes_user').on(t.userId, t.id),
    index('mailboxes_purge')
      .on(t.purgeAt)
      .where(sql`purge_at is not null`),
    check('mailboxes_deleted', sql`(deleted_at is null) = (purge_at is null)`),
    check('mailboxes_domain_of_live', sql`deleted_at is not null or domain_id is not null`)
  ]
)
