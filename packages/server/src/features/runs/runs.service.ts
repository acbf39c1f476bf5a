import { pagination } from '@panel/contract/common'
import type { Run, RunList, RunOutput, RunOutputQuery, RunQuery, StartCommand } from '@panel/contract/runs'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject, ownedBy, type ProjectRow } from '../projects/project-access.ts'
import { getActor, lockUser } from '../users/account-access.ts'
import { isOpen } from './run.machine.ts'
import { readOutput } from './run-output.repository.ts'
import { runView } from './run-view.ts'
import { countOpenOf, findRun, insertRun, listRuns, lockRun, moveRun, requestStop, type RunRow } from './runs.repository.ts' // oxfmt-ignore

export type RunDeps = Pick<Dependencies, 'config' | 'db' | 'events' | 'jobs' | 'now'>

const maxQueuedPerAccount = 100
const chunksPerPage = 16

export interface RunKey {
  projectId: string
  runId: string
}

export async function showRuns(
  { db }: Pick<RunDeps, 'db'>,
  userId: string,
  projectId: string,
  { page, limit, ...filter }: RunQuery
): Promise<RunList> {
  await getOwnProject(db, projectId, userId)
  const { rows, total } = await listRuns(db, { projectId, ...filter }, limit, (page - 1) * limit)
  return { runs: rows.map(runView), pagination: pagination(page, limit, total) }
}

export async function getOwnRun(db: Queryable, userId: string, { projectId, runId }: RunKey): Promise<RunRow> {
  await getOwnProject(db, projectId, userId)
  const row = await findRun(db, runId)
  if (row?.projectId !== projectId) throw new AppError('NOT_FOUND', 'Run not found')
  return row
}

export const showRun = async ({ db }: Pick<RunDeps, 'db'>, userId: string, key: RunKey): Promise<Run> =>
  runView(await getOwnRun(db, userId, key))

export async function showOutput(
  { db }: Pick<RunDeps, 'db'>,
  userId: string,
  key: RunKey,
  { after }: RunOutputQuery
): Promise<RunOutput> {
  // Before the output: what a run has written is stored when it ends.
  const { status, isTruncated } = await getOwnRun(db, userId, key)
  const chunks = await readOutput(db, key.runId, after, chunksPerPage)
  return {
    text: chunks.map(({ text }) => text).join(''),
    next: chunks.at(-1)?.seq ?? after,
    isComplete: !isOpen(status) && chunks.length < chunksPerPage,
    isTruncated
  }
}

export async function startCommand(
  deps: RunDeps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  input: StartCommand
): Promise<Run> {
  const row = await deps.db.transaction(async (trx) => {
    await lockUser(trx, userId)
    await getActor(trx, userId)
    requireRelease(ownedBy(await lockProject(trx, projectId), userId))
    const queued = await queueRun(deps, trx, { ...input, userId, projectId, trigger: 'COMMAND' })
    // Not the command itself, which may contain a password.
    const entry = { actorId: userId, targetId: projectId, metadata: { runId: queued!.id } }
    await recordAudit(deps, trx, origin, { action: 'command.started', ...entry })
    return queued!
  })
  return runView(row)
}

export function requireRelease({ liveDeploymentId, stopReason }: ProjectRow): void {
  if (liveDeploymentId === null) throw new AppError('CONTAINER_MISSING', 'Nothing is deployed yet. Deploy first.')
  if (stopReason !== null)
    throw new AppError('CONFLICT', 'The project was stopped because it used too much space. Start it first.')
}

/** In the caller's transaction. Undefined if this time of the schedule already has a run. */
export async function queueRun(
  deps: RunDeps,
  trx: Transaction,
  values: Pick<RunRow, 'userId' | 'projectId' | 'trigger' | 'command' | 'timeoutSeconds'> &
    Partial<Pick<RunRow, 'scheduledJobId' | 'dueAt' | 'status' | 'problem' | 'endedAt'>>
): Promise<RunRow | undefined> {
  if (values.trigger !== 'SCHEDULE' && (await countOpenOf(trx, values.userId, 'QUEUED')) >= maxQueuedPerAccount)
    throw new AppError('CONFLICT', `Your account has ${maxQueuedPerAccount} waiting runs. Wait, or stop some first.`)
  const now = deps.now()
  const row = await insertRun(trx, { ...values, id: newId(now.getTime()), createdAt: now, updatedAt: now })
  if (!row) return undefined
  if (row.status === 'QUEUED') await wakeRun(deps, trx, row)
  await tellRun(deps, trx, row)
  return row
}

/** The row is the queue: a lost or repeated job does no harm. */
export const wakeRun = ({ jobs }: Pick<RunDeps, 'jobs'>, trx: Transaction, { id, userId }: RunRow): Promise<void> =>
  jobs.enqueue(trx, 'runs.run', { runId: id }, { key: id, account: userId })

export const tellRun = (
  { events }: Pick<RunDeps, 'events'>,
  trx: Transaction,
  { id, projectId, userId }: RunRow
): Promise<void> => events.publish(trx, { to: { userId }, name: 'changed', data: { type: 'run', id, projectId } })

/** Ends a run that waits at once; one that runs gets SIGTERM, and SIGKILL after 10 seconds. */
export async function stopRun(deps: RunDeps, origin: AuditOrigin, userId: string, key: RunKey): Promise<Run> {
  await getOwnRun(deps.db, userId, key)
  const row = await deps.db.transaction(async (trx) => {
    const run = await lockRun(trx, key.runId)
    if (!run || !isOpen(run.status)) throw new AppError('CONFLICT', 'This run has already ended.')
    const stopped = await endOrAskToStop(deps, trx, run)
    const entry = { actorId: userId, targetId: run.id, metadata: { projectId: run.projectId } }
    await recordAudit(deps, trx, origin, { action: 'run.stopped', ...entry })
    return stopped
  })
  return runView(row)
}

/** The caller has locked the run, which is open. */
export async function endOrAskToStop(
  deps: RunDeps,
  trx: Transaction,
  run: RunRow,
  problem: RunRow['problem'] = null
): Promise<RunRow> {
  const now = deps.now()
  if (run.status === 'RUNNING') {
    await requestStop(trx, run.id, problem, now)
    return run
  }
  const ended = (await moveRun(trx, run.id, 'STOPPED', now, { problem })) ?? run
  await tellRun(deps, trx, ended)
  return ended
}
