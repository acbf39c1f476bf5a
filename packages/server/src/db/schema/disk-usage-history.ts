import { bigint, date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { diskUsageKind } from './disk-usage.ts'
import { users } from './users.ts'

export const diskUsageHistory = pgTable(
  'disk_usage_history',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: diskUsageKind('kind').notNull(),
    day: date('day').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull()
  },
  (t) => [primaryKey({ columns: [t.userId, t.day, t.kind] })]
)
