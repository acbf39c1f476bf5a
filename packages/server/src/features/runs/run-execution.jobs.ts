import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { EngineError, type LogPosition } from '../../infra/container-engine/container-engine.ts'
import { messageOf } from '../../text/message-of.ts'
import type { WorkerContext } from '../feature.ts'
import { removeSlotContainer, stopGraceSeconds } from '../containers/retire.jobs.ts'
import { findSlot } from '../containers/slot-access.ts'
import { lockUser } from '../users/account-access.ts'
import { prepareContainer } from './run-container.service.ts'
import { notifyFailure } from './run-notification.service.ts'
import type { RunOutputWriter } from './run-output.service.ts'
import { countOpenOf, findRun, listOpenOfJob, listQueuedOf, lockRun, moveRun, type RunRow, updateRun } from './runs.repository.ts' // oxfmt-ignore
import { tellRun, wakeRun } from './runs.service.ts'

type Worker = Pick<WorkerContext, 'lease' | 'signal'>
type Outcome = Pick<RunRow, 'status'> & Partial<Pick<RunRow, 'exitCode' | 'problem'>>

const pollMs = 1_000
const outputTail = 1_000_000
/** The engine delivers what a stopped container wrote within this time. */
const lastOutputMs = 10_000

// Per process, as a worker id is: a RUNNING row of this worker that is not in it was left behind by an error.
const executing = new Set<string>()
export const isExecuting = (id: string): boolean => executing.has(id)

/** Executes a run, or continues one that another worker started: its container survives the panel. */
export async function executeRun(deps: Dependencies, worker: Worker, runId: string): Promise<void> {
  if (worker.signal.aborted || executing.has(runId)) return
  executing.add(runId)
  try {
    const run = await claimRun(deps, worker, runId)
    if (!run) return
    const outcome = await superviseRun(deps, worker, run)
    if (outcome) await endRun(deps, run, outcome)
  } finally {
    executing.delete(runId)
  }
}

async function claimRun(deps: Dependencies, { lease }: Worker, runId: string): Promise<RunRow | undefined> {
  const found = await findRun(deps.db, runId)
  if (!found) return undefined
  return deps.db.transaction(async (trx) => {
    await lockUser(trx, found.userId)
    const run = await lockRun(trx, runId)
    if (run?.status === 'RUNNING') {
      const isMine = run.workerId === lease.workerId
      if (!isMine && (await lease.findDead([run.workerId!])).length === 0) return undefined
      return updateRun(trx, run.id, { workerId: lease.workerId })
    }
    if (run?.status !== 'QUEUED') return undefined
    // A run that ends wakes those that wait.
    if ((await countOpenOf(trx, run.userId, 'RUNNING')) >= deps.config.RUNS_PER_ACCOUNT) return undefined
    const others = run.scheduledJobId === null ? [] : await listOpenOfJob(trx, run.scheduledJobId)
    if (others.some(({ status }) => status === 'RUNNING')) return undefined
    const claimed = await moveRun(trx, run.id, 'RUNNING', deps.now(), { workerId: lease.workerId })
    if (claimed) await tellRun(deps, trx, claimed)
    return claimed
  })
}

/** Undefined if the worker stops: the container continues, and the next worker takes over. */
async function superviseRun(deps: Dependencies, worker: Worker, run: RunRow): Promise<Outcome | undefined> {
  const prepared = await prepareContainer(deps, run)
  if ('problem' in prepared) return { status: 'FAILED', problem: prepared.problem }
  const { containerId, output, there } = prepared
  const requested = watchForStop(deps, run)
  const leftMs = run.startedAt!.getTime() + run.timeoutSeconds * 1000 - deps.now().getTime()
  const timeout = AbortSignal.timeout(Math.max(0, leftMs))
  try {
    const signal = AbortSignal.any([worker.signal, requested.signal, timeout])
    const position = await followToEnd(there, containerId, output, signal)
    if (worker.signal.aborted) return undefined
    if (signal.aborted) {
      await there.engine.stopContainer(containerId, stopGraceSeconds)
      await copyLogs(there, containerId, output, AbortSignal.timeout(lastOutputMs), position)
    }
    const state = await there.engine.findContainer(containerId)
    if (!state) return { status: 'FAILED', problem: 'CONTAINER_GONE' }
    const exitCode = state.exitCode
    if (requested.signal.aborted) return { status: 'STOPPED', exitCode }
    if (timeout.aborted) return { status: 'TIMED_OUT', exitCode }
    if (exitCode === 0) return { status: 'SUCCEEDED', exitCode }
    return { status: 'FAILED', exitCode, problem: state.outOfMemory ? 'OUT_OF_MEMORY' : null }
  } finally {
    requested.close()
    await output.end()
  }
}

/** Until the container has ended or the signal aborts. */
async function followToEnd(
  deps: Pick<Dependencies, 'engine'>,
  containerId: string,
  output: RunOutputWriter,
  signal: AbortSignal
): Promise<LogPosition | undefined> {
  let position: LogPosition | undefined
  for (;;) {
    position = await copyLogs(deps, containerId, output, signal, position)
    if (signal.aborted) return position
    const state = await deps.engine.findContainer(containerId)
    if (!state?.running) return position
    // The log may end before the state changes.
    await sleep(pollMs / 4, undefined, { signal }).catch(() => {})
  }
}

async function copyLogs(
  { engine }: Pick<Dependencies, 'engine'>,
  containerId: string,
  output: RunOutputWriter,
  signal: AbortSignal,
  after?: LogPosition
): Promise<LogPosition | undefined> {
  let position = after
  try {
    for await (const chunk of engine.followLogs(containerId, { tail: outputTail, after }, signal)) {
      await output.write(chunk.text)
      position = chunk.position
    }
  } catch (error) {
    // Removed by hand: the state says so.
    if (!(error instanceof EngineError) || error.status !== 404) throw error
  }
  return position
}

/** Polls, because another process may stop or delete the run. */
function watchForStop(deps: Pick<Dependencies, 'db' | 'logger'>, { id }: RunRow) {
  const requested = new AbortController()
  const closed = new AbortController()
  void (async () => {
    while (!closed.signal.aborted && !requested.signal.aborted) {
      const row = await findRun(deps.db, id)
      if (row?.status !== 'RUNNING' || row.stopRequestedAt !== null) return requested.abort(new Error('stop requested'))
      await sleep(pollMs, undefined, { signal: closed.signal })
    }
  })().catch((error: unknown) => {
    if (!closed.signal.aborted) deps.logger.warn({ run: id, error: messageOf(error) }, 'could not check a run')
  })
  return { signal: requested.signal, close: () => closed.abort() }
}

/** The row first: if the panel is killed in between, reconcile removes the container of a run that has ended. */
async function endRun(deps: Dependencies, run: RunRow, { status, ...values }: Outcome): Promise<void> {
  await deps.db.transaction(async (trx) => {
    await lockUser(trx, run.userId)
    const ended = await moveRun(trx, run.id, status, deps.now(), values)
    if (ended) {
      await tellRun(deps, trx, ended)
      await notifyFailure(deps, trx, ended)
    }
    for (const next of await listQueuedOf(trx, run.userId)) await wakeRun(deps, trx, next)
  })
  const slot = await findSlot(deps.db, run.id)
  if (slot) await removeSlotContainer(deps, slot)
}
