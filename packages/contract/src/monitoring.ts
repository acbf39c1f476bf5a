import { z } from 'zod'
import { Id, Timestamp } from './common.ts'

const bytes = z.int().nullable()
const percent = z.number().nullable()

export const ServerMetrics = z
  .object({
    cpuPercent: percent,
    cpuPerCore: z
      .array(percent)
      .meta({ description: 'Of the cores that are there at the moment; null of one that has just come.' }),
    cpuCoreCount: z.int(),
    loadAverage: z.array(z.number()).meta({ description: 'Over 1, 5 and 15 minutes; empty where it cannot be read.' }),
    ramUsed: bytes.meta({ description: 'Without what the kernel gives back when a program needs it.' }),
    ramTotal: bytes,
    diskUsed: bytes.meta({ description: 'Of the file system of DATA_DIR.' }),
    diskTotal: bytes,
    uptimeSeconds: z.number().nullable(),
    networkReceived: bytes.meta({
      description: 'Bytes since the start of the machine, on the interfaces of its default routes.'
    }),
    networkSent: bytes,
    timestamp: Timestamp
  })
  .meta({ id: 'ServerMetrics' })
export type ServerMetrics = z.infer<typeof ServerMetrics>

export const ContainerMetric = z
  .object({
    containerId: z.string(),
    projectId: Id,
    name: z.string().meta({ description: 'Of the project.' }),
    cpuPercent: percent.meta({ description: 'Of one core: 200 are two cores. Null where nothing is known of it.' }),
    ramUsed: bytes.meta({ description: 'Without files that are read again from the disk when they are needed.' }),
    ramLimit: bytes.meta({ description: 'Null without a limit.' }),
    networkReceived: bytes.meta({ description: 'Bytes since the start of the container.' }),
    networkSent: bytes
  })
  .meta({ id: 'ContainerMetric' })
export type ContainerMetric = z.infer<typeof ContainerMetric>

export const metricRanges = ['1h', '24h', '7d', '30d'] as const
export const MetricRange = z.enum(metricRanges)
export type MetricRange = z.infer<typeof MetricRange>
export const MetricRangeQuery = z.object({ range: MetricRange.default('24h') })

/** Its members have the names that the table has. */
export const MetricSnapshot = z
  .object({
    id: z.int(),
    cpu_percent: percent,
    ram_used: bytes,
    ram_total: bytes,
    disk_used: bytes,
    disk_total: bytes,
    network_received: bytes.meta({ description: 'Bytes per second over the interfaces of default routes, as a mean.' }),
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
    networkReceived: bytes.meta({ description: 'Bytes since the point before.' }),
    networkSent: bytes,
    diskUsed: bytes.meta({ description: 'What its containers have written outside of volumes.' })
  })
  .meta({ id: 'ProjectMetric' })
export type ProjectMetric = z.infer<typeof ProjectMetric>

export const alertMetrics = ['cpu', 'ram', 'disk'] as const
export const AlertMetric = z.enum(alertMetrics)
export type AlertMetric = z.infer<typeof AlertMetric>

/** Of no route: it is sent on the live channel. */
export const AlertThreshold = z.object({
  metric: AlertMetric,
  value: z.number().meta({ description: 'Percent.' }),
  threshold: z.number(),
  timestamp: z.string().meta({ format: 'date-time' })
})
export type AlertThreshold = z.infer<typeof AlertThreshold>
