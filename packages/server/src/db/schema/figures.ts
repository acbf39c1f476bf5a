import { doublePrecision, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

export const figures = pgTable(
  'figures',
  {
    recordedAt: at('recorded_at').notNull(),
    nodeId: text('node_id').notNull(),
    name: text('name').notNull(),
    labels: jsonb('labels').$type<Readonly<Record<string, string>>>().notNull(),
    value: doublePrecision('value').notNull()
  },
  (t) => [primaryKey({ columns: [t.recordedAt, t.nodeId, t.name, t.labels] })]
)
