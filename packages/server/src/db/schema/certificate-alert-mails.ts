import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { users } from './users.ts'

/** Keyed by hostname, so that it survives deletion of the domain. */
export const certificateAlertMails = pgTable(
  'certificate_alert_mails',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hostname: text('hostname').notNull(),
    sentAt: at('sent_at').notNull()
  },
  (t) => [primaryKey({ columns: [t.userId, t.hostname] })]
)
