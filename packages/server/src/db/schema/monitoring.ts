import {
  bigint,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

const bytes = (name: string) => bigint(name, { mode: 'number' })

/** A machine at a minute. What could not be read is null. */
export const metricSnapshots = pgTable(
  'metric_snapshots',
  {
    id: bytes('id').primaryKey().generatedAlwaysAsIdentity(),
    nodeId: text('node_id').notNull(),
    cpuPercent: doublePrecision('cpu_percent'),
    ramUsed: bytes('ram_used'),
    ramTotal: bytes('ram_total'),
    diskUsed: bytes('disk_used'),
    diskTotal: bytes('disk_total'),
    networkReceived: bytes('network_received'),
    networkSent: bytes('network_sent'),
    recordedAt: at('recorded_at').notNull()
  },
  (t) => [uniqueIndex('metric_snapshots_recorded').on(t.recordedAt, t.nodeId)]
)

/** A project over so many minutes from a time on: of each minute, and means of those for longer. */
export const projectMetrics = pgTable(
  'project_metrics',
  {
    projectId: text('project_id').notNull(),
    nodeId: text('node_id').notNull(),
    minutes: integer('minutes').notNull(),
    recordedAt: at('recorded_at').notNull(),
    cpuPercent: real('cpu_percent'),
    ramUsed: bytes('ram_used'),
    networkReceived: bytes('network_received'),
    networkSent: bytes('network_sent'),
    diskUsed: bytes('disk_used')
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.minutes, t.recordedAt] }),
    index('project_metrics_recorded').on(t.minutes, t.recordedAt)
  ]
)
