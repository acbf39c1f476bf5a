import { z } from 'zod'
import { BackedUpDatabase, BackupStatus, BackupTrigger } from './backups.ts'
import { Id, Pagination, Timestamp } from './common.ts'

export const drillStarts = ['ANSWERED', 'NOT_DEPLOYED'] as const
export const DrillStart = z.enum(drillStarts)
export type DrillStart = z.infer<typeof DrillStart>

export const BackupDrill = z
  .object({
    id: Id,
    projectId: Id,
    projectName: z.string().meta({ examples: ['shop'] }),
    backupId: Id,
    backupTakenAt: Timestamp,
    targetName: z.string().meta({ examples: ['Storage box'] }),
    status: BackupStatus.meta({
      description:
        'GOOD: the backup was restored into a temporary copy of the project, files and databases are complete, and the project started and answered there.'
    }),
    trigger: BackupTrigger,
    files: z.int().nullable().meta({ description: 'Files that were restored.' }),
    bytes: z.int().nullable().meta({ description: 'Size of the restored files.' }),
    databases: z.array(BackedUpDatabase),
    restoreSeconds: z
      .number()
      .nullable()
      .meta({
        description: 'Time until files and databases were restored and compared.',
        examples: [12.4]
      }),
    startSeconds: z
      .number()
      .nullable()
      .meta({
        description: 'Time until the restored project answered.',
        examples: [1.8]
      }),
    start: DrillStart.nullable().meta({
      description: 'NOT_DEPLOYED: the project has no image, so that only its files and databases were restored.'
    }),
    problem: z.string().nullable(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable()
  })
  .meta({ id: 'BackupDrill' })
export type BackupDrill = z.infer<typeof BackupDrill>

export const BackupDrillList = z.object({ drills: z.array(BackupDrill), pagination: Pagination })
export type BackupDrillList = z.infer<typeof BackupDrillList>

export const StartBackupDrill = z.object({
  projectId: Id.optional().meta({
    description: 'Default: one of the projects that had no drill for the longest time, by chance.'
  })
})
export type StartBackupDrill = z.infer<typeof StartBackupDrill>
