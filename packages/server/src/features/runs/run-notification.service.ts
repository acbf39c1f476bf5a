import type { NotificationCode } from '@panel/contract/notification-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notify } from '../notifications/notify-access.ts'
import { findProject } from '../projects/project-access.ts'
import { findOutcomeBefore, type RunRow } from './runs.repository.ts'
import { findScheduledJob } from './scheduled-jobs.repository.ts'

/** For the first failed run of a scheduled job after a good one: a job at one minute must not send a mail a minute. */
export async function notifyFailure(
  deps: Pick<Dependencies, 'events' | 'jobs' | 'now'>,
  trx: Transaction,
  run: RunRow
): Promise<void> {
  if (run.trigger !== 'SCHEDULE' || (run.status !== 'FAILED' && run.status !== 'TIMED_OUT')) return
  const before = await findOutcomeBefore(trx, run)
  if (before === 'FAILED' || before === 'TIMED_OUT') return
  const project = await findProject(trx, run.projectId)
  const job = await findScheduledJob(trx, run.projectId, run.scheduledJobId!)
  if (!project || !job) return
  await notify(deps, trx, {
    userId: run.userId,
    kind: 'scheduled-job-failed',
    subject: { type: 'project', id: project.id, name: project.name },
    text: [sentenceOf(run, { job: job.name, project: project.name })],
    link: `/projects/${project.id}/jobs?d=${run.id}`
  })
}

function sentenceOf(run: RunRow, names: { job: string; project: string }): Sentence<NotificationCode> {
  if (run.status === 'TIMED_OUT')
    return { code: 'SCHEDULED_JOB_TIMED_OUT', values: { ...names, seconds: run.timeoutSeconds } }
  if (run.problem === 'OUT_OF_MEMORY') return { code: 'SCHEDULED_JOB_OUT_OF_MEMORY', values: names }
  return run.exitCode === null
    ? { code: 'SCHEDULED_JOB_NOT_STARTED', values: names }
    : { code: 'SCHEDULED_JOB_FAILED', values: { ...names, status: run.exitCode } }
}
