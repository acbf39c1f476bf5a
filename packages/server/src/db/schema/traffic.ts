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

/** Requests to a site, from `at` on for `seconds`, as one process of one machine counted them. */
export const trafficPoints = pgTable(
  'traffic_points',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
    // 60, and 900 once it is old.
    seconds: smallint('seconds').notNull(),
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    // Names one writing, so that none is counted twice.
    batch: text('batch').notNull(),
    ...sums,
    // Pairs of histogram step and count (time/response-times.policy.ts).
    times: bigint('times', { mode: 'number' }).array().notNull()
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.at, t.nodeId, t.batch] }),
    index('traffic_points_age').on(t.seconds, t.at)
  ]
)

/**
 * All that was ever counted of a site on a machine, for counters that never go back. Rows of projects that are gone stay until they are
 * summed up under the project ''; `lost` is what could not be counted.
 */
export const trafficTotals = pgTable(
  'traffic_totals',
  {
    projectId: text('project_id').notNull(),
    nodeId: text('node_id')
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
    ...sums,
    lost: bigint('lost', { mode: 'number' }).notNull().default(0),
    // Shown by itself at /metrics. Decided once, as what left the others would take their sum back.
    isNamed: boolean('is_named').notNull(),
    // Counts by the bounds of Prometheus' histogram, and the ms of all together.
    histogram: bigint('histogram', { mode: 'number' }).array().notNull(),
    milliseconds: bigint('milliseconds', { mode: 'number' }).notNull()
  },
  (t) => [primaryKey({ columns: [t.projectId, t.nodeId] })]
)
