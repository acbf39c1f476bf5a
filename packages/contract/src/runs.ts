import { z } from 'zod'
import { Id, pageQuery, Pagination, ShellLine, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'

export const runStatuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'STOPPED', 'SKIPPED'] as const
export const RunStatus = z.enum(runStatuses).meta({
  description:
    'SUCCEEDED: exit status 0. FAILED: another exit status, or `problem`. TIMED_OUT. STOPPED: on request. SKIPPED: a scheduled run that did not start, see `problem`.'
})
export type RunStatus = z.infer<typeof RunStatus>

export const runProblems = [
  'NOT_DEPLOYED',
  'PROJECT_STOPPED',
  'PREVIOUS_RUNNING',
  'REPLACED',
  'OUT_OF_MEMORY',
  'COULD_NOT_START',
  'CONTAINER_GONE'
] as const
export const RunProblem = z.enum(runProblems)
export type RunProblem = z.infer<typeof RunProblem>

export const runTriggers = ['SCHEDULE', 'MANUAL', 'COMMAND'] as const
export const RunTrigger = z.enum(runTriggers).meta({
  description:
    'SCHEDULE: a scheduled job was due. MANUAL: a scheduled job was started by hand. COMMAND: a one-off command.'
})

const Argument = z
  .string()
  .max(4096)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), words.WELL_FORMED)

export const Command = z.union([ShellLine.min(1), z.array(Argument).min(1).max(64)]).meta({
  description:
    'Runs in a container of the live release, never on the server. A string runs with /bin/sh; a list of arguments runs without a shell. ' +
    'The entrypoint of the image is not used.',
  examples: [['npm', 'run', 'migrate']]
})
export type Command = z.infer<typeof Command>

export const TimeoutSeconds = z.int().min(1).max(82_800).meta({ description: 'The run is stopped after this time.' })

export const overlapPolicies = ['SKIP', 'QUEUE', 'REPLACE'] as const
export const OverlapPolicy = z.enum(overlapPolicies).meta({
  description:
    'When the job is due while its previous run is still running: SKIP this run, QUEUE it (one waits at most), or REPLACE the previous run.'
})
export type OverlapPolicy = z.infer<typeof OverlapPolicy>

const settings = {
  name: singleLine(100)
    .refine((name) => name.trim() !== '', 'must not be empty')
    .meta({ examples: ['Nightly report'] }),
  schedule: singleLine(200).meta({
    description:
      'Minute, hour, day of month, month, day of week: numbers, lists, ranges and steps. If both days are restricted, either matches. A time ' +
      'skipped by a DST change runs at the end of the gap; a repeated time runs once, unless the hour is a star.',
    examples: ['30 2 * * *']
  }),
  timezone: singleLine(64).meta({ description: 'IANA time zone name.', examples: ['Europe/Berlin'] }),
  command: Command,
  timeoutSeconds: TimeoutSeconds,
  overlap: OverlapPolicy,
  isEnabled: z.boolean()
}

export const CreateScheduledJob = z.object({
  name: settings.name,
  schedule: settings.schedule,
  timezone: settings.timezone.optional().meta({ description: 'IANA time zone name. Default: the server’s.' }),
  command: settings.command,
  timeoutSeconds: settings.timeoutSeconds.default(3600),
  overlap: settings.overlap.default('SKIP'),
  isEnabled: settings.isEnabled.default(true)
})
export type CreateScheduledJob = z.infer<typeof CreateScheduledJob>

export const UpdateScheduledJob = z.object(settings).partial()
export type UpdateScheduledJob = z.infer<typeof UpdateScheduledJob>

export const Run = z
  .object({
    id: Id,
    projectId: Id,
    scheduledJobId: Id.nullable().meta({ description: 'Null for a one-off command.' }),
    trigger: RunTrigger,
    command: Command,
    status: RunStatus,
    problem: RunProblem.nullable(),
    exitCode: z.int().nullable(),
    dueAt: Timestamp.nullable().meta({ description: 'The time of the schedule that it belongs to.' }),
    deploymentId: Id.nullable().meta({ description: 'The release that it ran in.' }),
    startedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    createdAt: Timestamp
  })
  .meta({ id: 'Run' })
export type Run = z.infer<typeof Run>

export const ScheduledJob = z
  .object({
    id: Id,
    projectId: Id,
    ...settings,
    nextRunAt: Timestamp.nullable().meta({ description: 'Null if the job is disabled.' }),
    lastRun: Run.nullable().meta({ description: 'The latest run, also a running one.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'ScheduledJob' })
export type ScheduledJob = z.infer<typeof ScheduledJob>

export const ScheduledJobQuery = z.object(pageQuery(20, 100))
export type ScheduledJobQuery = z.infer<typeof ScheduledJobQuery>
export const ScheduledJobList = z
  .object({ scheduledJobs: z.array(ScheduledJob), pagination: Pagination })
  .meta({ id: 'ScheduledJobList' })
export type ScheduledJobList = z.infer<typeof ScheduledJobList>

export const RunQuery = z.object({
  ...pageQuery(20, 100),
  scheduledJobId: Id.optional(),
  trigger: RunTrigger.optional()
})
export type RunQuery = z.infer<typeof RunQuery>
export const RunList = z.object({ runs: z.array(Run), pagination: Pagination }).meta({ id: 'RunList' })
export type RunList = z.infer<typeof RunList>

export const StartCommand = z.object({ command: Command, timeoutSeconds: TimeoutSeconds.default(3600) })
export type StartCommand = z.infer<typeof StartCommand>

export const RunOutputQuery = z.object({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0)
})
export type RunOutputQuery = z.infer<typeof RunOutputQuery>
export const RunOutput = z
  .object({
    text: z.string().meta({ description: 'Standard output and standard error; secrets of the project are masked.' }),
    next: z.int().meta({ description: 'Pass it as `after` to get what follows.' }),
    isComplete: z.boolean().meta({ description: 'Whether the run has ended and nothing follows.' }),
    isTruncated: z.boolean().meta({ description: 'Whether the beginning was removed: the last MiB is kept.' })
  })
  .meta({ id: 'RunOutput' })
export type RunOutput = z.infer<typeof RunOutput>
