import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { WorkerName } from './processes.ts'

const bytes = z.int().nullable()
const percent = z.number().nullable()

export const alertMetrics = ['cpu', 'ram', 'disk'] as const
export const AlertMetric = z.enum(alertMetrics)
export type AlertMetric = z.infer<typeof AlertMetric>

export const ServerMetrics = z
  .object({
    cpuPercent: percent,
    cpuPerCore: z.array(percent).meta({ description: 'Per online core; null for a core that has just come online.' }),
    cpuCoreCount: z.int(),
    loadAverage: z.array(z.number()).meta({ description: 'Over 1, 5 and 15 minutes; empty if unavailable.' }),
    ramUsed: bytes.meta({ description: 'Without memory that the kernel can reclaim.' }),
    ramTotal: bytes,
    diskUsed: bytes.meta({ description: 'Of the file system of DATA_DIR.' }),
    diskTotal: bytes,
    uptimeSeconds: z.number().nullable(),
    networkReceived: bytes.meta({
      description: 'Bytes since boot on the interfaces of the default routes.'
    }),
    networkSent: bytes,
    alertAbove: z.object({ cpu: z.number(), ram: z.number(), disk: z.number() }).meta({
      description:
        'Administrators are notified above these percentages (settings ALERT_CPU_PERCENT, ALERT_RAM_PERCENT and ALERT_DISK_PERCENT).'
    }),
    timestamp: Timestamp
  })
  .meta({ id: 'ServerMetrics' })
export type ServerMetrics = z.infer<typeof ServerMetrics>

export const ContainerMetric = z
  .object({
    containerId: z.string(),
    projectId: Id,
    name: z.string().meta({ description: 'Name of the project.' }),
    cpuPercent: percent.meta({ description: 'Percent of one core: 200 means two cores. Null if unknown.' }),
    ramUsed: bytes.meta({ description: 'Without page cache that can be reclaimed.' }),
    ramLimit: bytes.meta({ description: 'Null if unlimited.' }),
    networkReceived: bytes.meta({ description: 'Bytes since the start of the container.' }),
    networkSent: bytes
  })
  .meta({ id: 'ContainerMetric' })
export type ContainerMetric = z.infer<typeof ContainerMetric>

export const metricRanges = ['1h', '24h', '7d', '30d'] as const
export const MetricRange = z.enum(metricRanges)
export type MetricRange = z.infer<typeof MetricRange>
export const MetricRangeQuery = z.object({ range: MetricRange.default('24h') })

export const ProjectMetricQuery = MetricRangeQuery.extend({
  process: WorkerName.optional().meta({ description: 'A worker. Default: the web process.' })
})
export type ProjectMetricQuery = z.infer<typeof ProjectMetricQuery>

/** Member names match the table's column names. */
export const MetricSnapshot = z
  .object({
    id: z.int(),
    cpu_percent: percent,
    ram_used: bytes,
    ram_total: bytes,
    disk_used: bytes,
    disk_total: bytes,
    network_received: bytes.meta({ description: 'Mean bytes per second on the interfaces of the default routes.' }),
    network_sent: bytes,
    recorded_at: Timestamp
  })
  .meta({ id: 'MetricSnapshot' })
export type MetricSnapshot = z.infer<typeof MetricSnapshot>

export const ProjectMetric = z
  .object({
    recordedAt: Timestamp,
    cpuPercent: percent,
    ramUsed: bytes,
    networkReceived: bytes.meta({ description: 'Bytes since the previous point.' }),
    networkSent: bytes,
    diskUsed: bytes.meta({ description: 'Bytes that its containers wrote outside volumes; null for a worker.' })
  })
  .meta({ id: 'ProjectMetric' })
export type ProjectMetric = z.infer<typeof ProjectMetric>

export const AlertThreshold = z.object({
  metric: AlertMetric,
  value: z.number().meta({ description: 'Percent.' }),
  threshold: z.number(),
  timestamp: z.string().meta({ format: 'date-time' })
})
export type AlertThreshold = z.infer<typeof AlertThreshold>
