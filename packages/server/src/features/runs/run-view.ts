import type { Run, ScheduledJob } from '@panel/contract/runs'
import type { RunRow } from './runs.repository.ts'
import type { ScheduledJobRow } from './scheduled-jobs.repository.ts'

const time = (at: Date | null) => at?.toISOString() ?? null

export const runView = (row: RunRow): Run => ({
  id: row.id,
  projectId: row.projectId,
  scheduledJobId: row.scheduledJobId,
  trigger: row.trigger,
  command: row.command,
  status: row.status,
  problem: row.problem,
  exitCode: row.exitCode,
  dueAt: time(row.dueAt),
  deploymentId: row.deploymentId,
  startedAt: time(row.startedAt),
  endedAt: time(row.endedAt),
  createdAt: row.createdAt.toISOString()
})

export const scheduledJobView = (row: ScheduledJobRow, lastRun: RunRow | undefined): ScheduledJob => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  schedule: row.schedule,
  timezone: row.timezone,
  command: row.command,
  timeoutSeconds: row.timeoutSeconds,
  overlap: row.overlap,
  isEnabled: row.isEnabled,
  nextRunAt: time(row.nextRunAt),
  lastRun: lastRun ? runView(lastRun) : null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})
