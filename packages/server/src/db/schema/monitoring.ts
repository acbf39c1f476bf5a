import {
  bigint,
  doublePrecision,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

const bytes = (name: string) => bigint(name, { mode: 'number' })

const machine = {
  nodeId: text('node_id').notNull(),
  cpuPercent: doublePrecision('cpu_percent'),
  ramUsed: bytes('ram_used'),
  ramTotal: bytes('ram_total'),
  diskUsed: bytes('disk_used'),
  diskTotal: bytes('disk_total'),
  networkReceived: bytes('network_received'),
  networkSent: bytes('network_sent'),
  recordedAt: at('recorded_at').notNull()
}

export const metricSnapshots = pgTable(
  'metric_snapshots',
  {
    id: bytes('id').primaryKey().generatedAlwaysAsIdentity(),
    ...machine,
    loadAverage: real('load_average').array(),
    uptimeSeconds: doublePrecision('uptime_seconds')
  },
  (t) => [uniqueIndex('metric_snapshots_recorded').on(t.recordedAt, t.nodeId)]
)

/** Half-hour averages, updated with every snapshot; used for monthly charts. */
export const metricHalfHours = pgTable('metric_half_hours', { ...machine, lastId: bytes('last_id').notNull() }, (t) => [
  primaryKey({ columns: [t.nodeId, t.recordedAt] })
])

interface Counted {
  atMs: number
  network?: { received: number; sent: number } | undefined
}
export type HostCounters = Counted & { bootId?: string | undefined; cpu?: { busy: number; total: number } | undefined }
export type ContainerCounters = Counted & { cpuSeconds?: number | undefined }
export interface CountersOfContainers {
  bootId?: string | undefined
  atMs: number
  byId: Record<string, ContainerCounters>
}

/** Kernel counters at the last recorded minute. The next minute is the difference, whichever process records it. */
export const metricCounters = pgTable('metric_counters', {
  nodeId: text('node_id').primaryKey(),
  host: json('host').$type<HostCounters>(),
  containers: json('containers').$type<CountersOfContainers>(),
  workers: json('workers').$type<CountersOfContainers>()
})

const usage = {
  projectId: text('project_id').notNull(),
  nodeId: text('node_id').notNull(),
  minutes: integer('minutes').notNull(),
  recordedAt: at('recorded_at').notNull(),
  cpuPercent: real('cpu_percent'),
  ramUsed: bytes('ram_used'),
  networkReceived: bytes('network_received'),
  networkSent: bytes('network_sent')
}

/** Metrics of a project's site over `minutes` from a time: per minute, and averages over longer periods. */
export const projectMetrics = pgTable('project_metrics', { ...usage, diskUsed: bytes('disk_used') }, (t) => [
  primaryKey({ columns: [t.projectId, t.minutes, t.recordedAt] }),
  index('project_metrics_recorded').on(t.minutes, t.recordedAt)
])

/** The same of its workers, by process name. */
export const processMetrics = pgTable('process_metrics', { ...usage, process: text('process').notNull() }, (t) => [
  primaryKey({ columns: [t.projectId, t.process, t.minutes, t.recordedAt] }),
  index('process_metrics_recorded').on(t.minutes, t.recordedAt)
])
