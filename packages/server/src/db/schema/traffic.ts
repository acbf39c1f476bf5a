import { bigint, boolean, index, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { nodes } from './nodes.ts'
import { projects } from './projects.ts'

const sums = {
  requests: bigint('requests', { mode: 'number' }).notNull(),
  clientErrors: bigint('client_errors', { mode: 'number' }).notNull(),
  serverErrors: bigint('server_errors', { mode: 'number' }).notNull(),
  bytesIn: bigint('bytes_in', { mode: 'number' }).notNull(),
  bytesOut: bigint('bytes_out', { mode: 'number' }).notNull()
}

/** Requests to a site in the `seconds` from `at`, counted by one process on one machine. */
export const trafficPoints = pgTable(
  'traffic_points',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
    seconds: smallint('seconds').notNull(),
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    // Id of the write, so that nothing is counted twice.
    batch: text('batch').notNull(),
    ...sums,
    // Pairs of histogram bucket and count (time/response-times.policy.ts).
    times: bigint('times', { mode: 'number' }).array().notNull()
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.at, t.nodeId, t.batch] }),
    index('traffic_points_age').on(t.seconds, t.at)
  ]
)

/** Monotonic totals. Rows of deleted projects are summed up under project ''; `lost` could not be counted. */
export const trafficTotals = pgTable(
  'traffic_totals',
  {
    projectId: text('project_id').notNull(),
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    ...sums,
    lost: bigint('lost', { mode: 'number' }).notNull().default(0),
    // Has its own series at /metrics. Never changes, because moving it would decrease the other series.
    isNamed: boolean('is_named').notNull(),
    // Counts by the bucket bounds of the Prometheus histogram, and the sum in ms.
    histogram: bigint('histogram', { mode: 'number' }).array().notNull(),
    milliseconds: bigint('milliseconds', { mode: 'number' }).notNull()
  },
  (t) => [primaryKey({ columns: [t.projectId, t.nodeId] })]
)
