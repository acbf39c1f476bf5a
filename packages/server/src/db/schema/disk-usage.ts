import { bigint, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { diskUsageKinds } from '@panel/contract/disk-usage'
import { at } from './columns.ts'
import { users } from './users.ts'

export const diskUsageKind = pgEnum('disk_usage_kind', diskUsageKinds)

export const diskUsage = pgTable(
  'disk_usage',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: diskUsageKind('kind').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    measuredAt: at('measured_at').notNull()
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind] })]
)
