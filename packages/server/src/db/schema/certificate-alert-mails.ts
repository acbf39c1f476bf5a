import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { users } from './users.ts'

/** When an account was last written to about a certificate: by name, so that removing what it was about makes no difference. */
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
