import { z } from 'zod'
import { Id, Timestamp } from './common.ts'

export const diskUsageKinds = ['FILES', 'CONTAINERS', 'IMAGES', 'DATABASES', 'LOGS', 'MAIL'] as const
export const DiskUsageKind = z.enum(diskUsageKinds)
export type DiskUsageKind = z.infer<typeof DiskUsageKind>

export const ContainerNearLimit = z
  .object({
    projectId: Id,
    deploymentId: Id,
    bytes: z.int().meta({ description: 'Bytes written to its own layer.' }),
    limitBytes: z.int().meta({ description: 'CONTAINER_DISK_LIMIT: the container is stopped above it.' }),
    files: z.int().nullable().meta({ description: 'Files and directories in that layer; null if not counted.' }),
    limitFiles: z.int().meta({ description: 'CONTAINER_FILES_LIMIT: the container is stopped above it.' }),
    warnedAt: Timestamp
  })
  .meta({ id: 'ContainerNearLimit' })
export type ContainerNearLimit = z.infer<typeof ContainerNearLimit>

export const DiskUsage = z
  .object({
    limitBytes: z.int().nullable().meta({ description: 'maxDiskMb in bytes; null means unlimited.' }),
    usedBytes: z.int(),
    overSince: Timestamp.nullable().meta({
      description:
        'When usage exceeded the limit: files, builds and databases are rejected from then on, and containers that keep growing are ' +
        'stopped after a grace period.'
    }),
    isHardLimit: z.boolean().meta({
      description:
        'Whether the file system enforces the limit for files; otherwise usage is measured every few minutes.'
    }),
    kinds: z.array(
      z.object({
        kind: DiskUsageKind,
        bytes: z.int(),
        measuredAt: Timestamp.nullable().meta({ description: 'Null before the first measurement.' })
      })
    ),
    containersNearLimit: z.array(ContainerNearLimit).meta({
      description:
        'Containers that have used more than 80% of what they may write outside /data; above 100% they are stopped. A new deployment ' +
        'starts empty.'
    })
  })
  .meta({ id: 'DiskUsage' })
export type DiskUsage = z.infer<typeof DiskUsage>

export const DiskUsageHistoryQuery = z.object({ days: z.coerce.number().int().min(1).max(400).default(30) })

export const DiskUsageDay = z
  .object({
    day: z.iso.date().meta({ description: 'In UTC.', examples: ['2026-01-31'] }),
    usedBytes: z.int(),
    kinds: z.array(z.object({ kind: DiskUsageKind, bytes: z.int() }))
  })
  .meta({ id: 'DiskUsageDay' })
export type DiskUsageDay = z.infer<typeof DiskUsageDay>
