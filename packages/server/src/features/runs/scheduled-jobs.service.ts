import { pagination } from '@panel/contract/common'
import type { CreateScheduledJob, Run, ScheduledJob, ScheduledJobList, ScheduledJobQuery, UpdateScheduledJob } from '@panel/contract/runs' // oxfmt-ignore
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { messageOf } from '../../text/message-of.ts'
import { canonicalTimezone } from '../../time/timezone.policy.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject, ownedBy } from '../projects/project-access.ts'
import { getActor, lockUser } from '../users/account-access.ts'
import { runView, scheduledJobView } from './run-view.ts'
import { listLatestRuns, listOpenOfJob } from './runs.repository.ts'
import { endOrAskToStop, queueRun, requireRelease, type RunDeps } from './runs.service.ts'
import { nextTime, planRun, type Schedule } from './schedule.policy.ts'
import {
  countScheduledJobsOf,
  deleteScheduledJob,
  findScheduledJob,
  insertScheduledJob,
  listScheduledJobs,
  lockScheduledJob,
  type ScheduledJobRow,
  updateScheduledJob
} from './scheduled-jobs.repository.ts'

type Deps = RunDeps & Pick<Dependencies, 'settings'>

export interface JobKey {
  projectId: string
  jobId: string
}

export async function showScheduledJobs(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  projectId: string,
  { page, limit }: ScheduledJobQuery
): Promise<ScheduledJobList> {
  await getOwnProject(db, projectId, userId)
  const { rows, total } = await listScheduledJobs(db, projectId, limit, (page - 1) * limit)
  const latest = await listLatestRuns(db, rows.map(({ id }) => id)) // oxfmt-ignore
  const scheduledJobs = rows.map((row) => scheduledJobView(row, latest.find((run) => run.scheduledJobId === row.id))) // oxfmt-ignore
  return { scheduledJobs, pagination: pagination(page, limit, total) }
}

export async function getOwnScheduledJob(
  db: Queryable,
  userId: string,
  { projectId, jobId }: JobKey
): Promise<ScheduledJobRow> {
  await getOwnProject(db, projectId, userId)
  return requireJob(await findScheduledJob(db, projectId, jobId))
}

export async function showScheduledJob({ db }: Pick<Deps, 'db'>, userId: string, key: JobKey): Promise<ScheduledJob> {
  const row = await getOwnScheduledJob(db, userId, key)
  const [latest] = await listLatestRuns(db, [row.id])
  return scheduledJobView(row, latest)
}

export async function createScheduledJob(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  input: CreateScheduledJob
): Promise<ScheduledJob> {
  const now = deps.now()
  const timezone = readTimezone(input.timezone ?? deps.settings.timezone())
  const next = readSchedule({ schedule: input.schedule, timezone }, now)
  const row = await deps.db.transaction(async (trx) => {
    await lockUser(trx, userId)
    await getOwnProject(trx, projectId, userId)
    const most = deps.config.SCHEDULED_JOBS_PER_ACCOUNT
    if ((await countScheduledJobsOf(trx, userId)) >= most)
      throw new AppError('QUOTA_EXCEEDED', `Your account has ${most} scheduled jobs, the maximum. Delete one first.`)
    const created = await insertScheduledJob(trx, {
      ...input,
      timezone,
      id: newId(now.getTime()),
      userId,
      projectId,
      nextRunAt: input.isEnabled ? next : null,
      createdAt: now,
      updatedAt: now
    })
    // Not the command itself, which may contain a password.
    const metadata = { projectId, name: created.name, schedule: created.schedule }
    const entry = { actorId: userId, targetId: created.id, metadata }
    await recordAudit(deps, trx, origin, { action: 'scheduled_job.created', ...entry })
    return created
  })
  return scheduledJobView(row, undefined)
}

export async function updateScheduledJobSettings(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  key: JobKey,
  input: UpdateScheduledJob
): Promise<ScheduledJob> {
  await getOwnProject(deps.db, key.projectId, userId)
  await deps.db.transaction(async (trx) => {
    const now = deps.now()
    const before = requireJob(await lockScheduledJob(trx, key.projectId, key.jobId))
    const after = { ...before, ...input }
    const timezone = readTimezone(after.timezone)
    const next = readSchedule({ schedule: after.schedule, timezone }, now)
    const isRescheduled =
      after.schedule !== before.schedule || timezone !== before.timezone || after.isEnabled !== before.isEnabled
    await updateScheduledJob(trx, before.id, {
      ...input,
      timezone,
      ...(isRescheduled ? { nextRunAt: after.isEnabled ? next : null } : {}),
      updatedAt: now
    })
    const metadata = { projectId: key.projectId, changed: Object.keys(input) }
    const entry = { actorId: userId, targetId: before.id, metadata }
    await recordAudit(deps, trx, origin, { action: 'scheduled_job.updated', ...entry })
  })
  return showScheduledJob(deps, userId, key)
}

/** Its history goes with it; a run in progress is stopped. */
export async function removeScheduledJob(deps: Deps, origin: AuditOrigin, userId: string, key: JobKey): Promise<void> {
  await getOwnProject(deps.db, key.projectId, userId)
  await deps.db.transaction(async (trx) => {
    const row = requireJob(await lockScheduledJob(trx, key.projectId, key.jobId))
    await deleteScheduledJob(trx, row.id)
    const metadata = { projectId: key.projectId, name: row.name }
    const entry = { actorId: userId, targetId: row.id, metadata }
    await recordAudit(deps, trx, origin, { action: 'scheduled_job.deleted', ...entry })
  })
}

export async function runNow(deps: Deps, origin: AuditOrigin, userId: string, key: JobKey): Promise<Run> {
  const row = await deps.db.transaction(async (trx) => {
    await lockUser(trx, userId)
    await getActor(trx, userId)
    requireRelease(ownedBy(await lockProject(trx, key.projectId), userId))
    const job = requireJob(await lockScheduledJob(trx, key.projectId, key.jobId))
    const open = await listOpenOfJob(trx, job.id)
    const { isSkipped, stop } = planRun(job.overlap, open)
    if (isSkipped) throw new AppError('CONFLICT', 'The job is already running. Stop it, or wait until it has ended.')
    for (const run of open) if (stop.includes(run.id)) await endOrAskToStop(deps, trx, run, 'REPLACED')
    const queued = await queueRun(deps, trx, { ...commandOf(job), trigger: 'MANUAL' })
    const entry = { actorId: userId, targetId: job.id, metadata: { projectId: key.projectId, runId: queued!.id } }
    await recordAudit(deps, trx, origin, { action: 'scheduled_job.started', ...entry })
    return queued!
  })
  return runView(row)
}

export const commandOf = ({ id, userId, projectId, command, timeoutSeconds }: ScheduledJobRow) => ({
  scheduledJobId: id,
  userId,
  projectId,
  command,
  timeoutSeconds
})

function readTimezone(name: string): string {
  const timezone = canonicalTimezone(name)
  if (timezone === undefined)
    throw new AppError('VALIDATION_ERROR', 'timezone: must be an IANA time zone such as Europe/Berlin')
  return timezone
}

function readSchedule(schedule: Schedule, now: Date): Date {
  let next: Date | undefined
  try {
    next = nextTime(schedule, now)
  } catch (cause) {
    throw new AppError('VALIDATION_ERROR', `schedule: ${messageOf(cause)}`, { cause })
  }
  if (next === undefined) throw new AppError('VALIDATION_ERROR', 'schedule: never matches a date, such as 30 February')
  return next
}

function requireJob(row: ScheduledJobRow | undefined): ScheduledJobRow {
  if (!row) throw new AppError('NOT_FOUND', 'Scheduled job not found')
  return row
}
