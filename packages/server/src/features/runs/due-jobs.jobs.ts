import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { listOpenOfJob } from './runs.repository.ts'
import { endOrAskToStop, queueRun } from './runs.service.ts'
import { dueTime, isTooFarAhead, nextTime, planRun } from './schedule.policy.ts'
import { commandOf } from './scheduled-jobs.service.ts'
import { type DueJob, listTimes, lockDueJobs, updateScheduledJob } from './scheduled-jobs.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'now'>

const batch = 50

/** Queues a run for each job that is due. Run and next time are one commit, so that a killed panel repeats nothing. */
export async function queueDueJobs(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const found = await deps.db.transaction(async (trx) => {
      const due = await lockDueJobs(trx, deps.now(), batch)
      for (const job of due) await queueDueJob(deps, trx, job)
      return due.length
    })
    if (found < batch) return
  }
}

async function queueDueJob(deps: Deps, trx: Transaction, job: DueJob): Promise<void> {
  const now = deps.now()
  await updateScheduledJob(trx, job.id, { nextRunAt: nextTime(job, now) ?? null })
  const dueAt = dueTime(job, now)
  if (dueAt === undefined || job.isSuspended) return
  const open = await listOpenOfJob(trx, job.id)
  const { isSkipped, stop } = planRun(job.overlap, open)
  const problem = !job.isDeployed
    ? 'NOT_DEPLOYED'
    : job.isStopped
      ? 'PROJECT_STOPPED'
      : isSkipped
        ? 'PREVIOUS_RUNNING'
        : null
  const queued = await queueRun(deps, trx, {
    ...commandOf(job),
    trigger: 'SCHEDULE',
    dueAt,
    ...(problem === null ? {} : { status: 'SKIPPED', problem, endedAt: now })
  })
  if (!queued || problem !== null) return
  for (const run of open) if (stop.includes(run.id)) await endOrAskToStop(deps, trx, run, 'REPLACED')
}

/** Times that were computed while the clock was ahead would keep a job from running. */
export async function correctTimes(deps: Deps): Promise<void> {
  const now = deps.now()
  for (const job of await listTimes(deps.db))
    if (isTooFarAhead(job, now))
      await deps.db.transaction((trx) => updateScheduledJob(trx, job.id, { nextRunAt: nextTime(job, now) ?? null }))
}
