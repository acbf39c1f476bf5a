import { z } from 'zod'
import { Id, Timestamp } from './common.ts'

/** What of an account takes room on the server: its projects' files, what containers have written, images, databases, build logs, mail. */
export const diskUsageKinds = ['FILES', 'CONTAINERS', 'IMAGES', 'DATABASES', 'LOGS', 'MAIL'] as const
export const DiskUsageKind = z.enum(diskUsageKinds)
export type DiskUsageKind = z.infer<typeof DiskUsageKind>

export const ContainerNearLimit = z
  .object({
    projectId: Id,
    deploymentId: Id,
    bytes: z.int().meta({ description: 'What it has written to its own layer.' }),
    limitBytes: z.int().meta({ description: 'CONTAINER_DISK_LIMIT: above it the container is stopped.' }),
    files: z
      .int()
      .nullable()
      .meta({ description: 'Files and directories in that layer; null where they were not counted.' }),
    limitFiles: z.int().meta({ description: 'CONTAINER_FILES_LIMIT: above it the container is stopped.' }),
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
        'Since when more is used than allowed: files, builds and databases are refused then, and containers that go on growing are stopped after a while.'
    }),
    isHardLimit: z.boolean().meta({
      description:
        'Whether the file system itself refuses files above the limit; else what is used is measured every few minutes.'
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
        'Containers that were found to have more than four fifths of what one may write outside of /data: they are stopped above that. A new deployment begins with nothing of it.'
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
