import { z } from 'zod'
import { Timestamp } from './common.ts'

/** What of an account takes room on the server: its projects' files, what containers have written, images, databases, build logs, mail. */
export const diskUsageKinds = ['FILES', 'CONTAINERS', 'IMAGES', 'DATABASES', 'LOGS', 'MAIL'] as const
export const DiskUsageKind = z.enum(diskUsageKinds)
export type DiskUsageKind = z.infer<typeof DiskUsageKind>

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
    )
  })
  .meta({ id: 'DiskUsage' })
export type DiskUsage = z.infer<typeof DiskUsage>
