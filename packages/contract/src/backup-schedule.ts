import { z } from 'zod'
import { singleLine } from './common.ts'
import { words } from './details.ts'

const kept = (what: string, most: number) =>
  z
    .int()
    .min(0)
    .max(most)
    .meta({ description: `How many ${what} backups to keep.` })

const times = {
  isEnabled: z.boolean(),
  hour: z.int().min(0).max(23).meta({ description: 'In the time zone of the server.' }),
  minute: z.int().min(0).max(59),
  weekdays: z
    .array(z.int().min(0).max(6))
    .max(7)
    .meta({ description: 'Days with a backup, 0 is Sunday. Empty: every day.', examples: [[1, 3, 5]] })
}
const windowHour = z.int().min(0).max(23).nullable()

export const drillIntervals = ['OFF', 'WEEKLY', 'DAILY'] as const
export const DrillInterval = z.enum(drillIntervals)

export const BackupSchedule = z
  .object({
    ...times,
    drills: DrillInterval.meta({
      description:
        'How often a backup of a project is restored into a temporary copy, which is started and compared, three hours after the time of the backups: WEEKLY on Sundays.'
    }),
    keepDaily: kept('daily', 365),
    keepWeekly: kept('weekly', 104),
    keepMonthly: kept('monthly', 120),
    uploadLimitKib: z.int().min(64).max(10_000_000).nullable().meta({ description: 'KiB per second. Null: no limit.' }),
    windowFromHour: windowHour.meta({
      examples: [22],
      description:
        'Scheduled backups start at or after this hour, in the time zone of the server, and before `windowUntilHour`, which may be on the next day. ' +
        'One that was started runs to its end. Null: at any time.'
    }),
    windowUntilHour: windowHour.meta({ examples: [6], description: 'Null exactly if `windowFromHour` is null.' })
  })
  .refine(({ keepDaily, keepWeekly, keepMonthly }) => keepDaily + keepWeekly + keepMonthly > 0, {
    error: words.KEEP_ONE_BACKUP
  })
  .refine(
    ({ windowFromHour: from, windowUntilHour: until }) =>
      (from === null) === (until === null) && (from === null || from !== until),
    { error: words.BACKUP_WINDOW, path: ['windowUntilHour'] }
  )
  .meta({ id: 'BackupSchedule' })
export type BackupSchedule = z.infer<typeof BackupSchedule>

const excludedPattern = singleLine(200)
  .trim()
  .refine((pattern) => /[^*?/]/.test(pattern) && !pattern.split('/').some((part) => part === '.' || part === '..'), {
    error: words.EXCLUDED_PATTERN
  })

export const ProjectBackupSettings = z
  .object({
    ...times,
    isEnabled: z.boolean().meta({
      description: 'Back up this project at times of its own too, in addition to the schedule of the server.'
    }),
    excluded: z
      .array(excludedPattern)
      .max(50)
      .meta({
        description:
          'Files and directories that backups leave out. `*` and `?` match within a name, `**` matches any directories, and every other character is literal. ' +
          'A pattern with a leading `/` is matched from the top of the project, any other one at every depth.',
        examples: [['node_modules', '/cache/*', '*.log']]
      })
  })
  .meta({ id: 'ProjectBackupSettings' })
export type ProjectBackupSettings = z.infer<typeof ProjectBackupSettings>
