import { countLagMs, countTableWrites, readCommits, type TableWrites } from '../db/table-writes.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ReconcileStep, WorkerContext } from '../features/feature.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { inOrder, runStep, stepsOf } from './reconcile.ts'
import { roundsToSkip } from './retry-rounds.policy.ts'

/** Makes proxy, containers and servers match the database, feature by feature. */
interface Reconciler {
  /** Runs the steps that are due. A slow step continues in the background, and later rounds skip it. */
  round(worker: WorkerContext): Promise<void>
  /** Resolves when no step is running. */
  settled(): Promise<void>
  /** One of our containers has changed, or may have. */
  containersChanged(): void
  /** The next round runs every step: a setting or the status of a machine has changed. */
  runEverything(): void
  /** Failed steps are tried in the next round: what they need may be back. */
  retry(): void
}

const defaultTimeoutMs = 15_000

/** `areWritesCounted`: without PostgreSQL's statistics, steps that depend on tables run in every round. */
export function createReconciler(
  deps: Dependencies,
  areWritesCounted: boolean,
  timeoutMs = defaultTimeoutMs
): Reconciler {
  const steps = stepsOf(deps)
  if (!areWritesCounted)
    deps.logger.warn(
      'PostgreSQL does not count writes, so every round compares all rows. Set track_counts = on and restart the panel.'
    )
  let fullRoundAt = Number.NEGATIVE_INFINITY
  let writes: TableWrites = new Map()
  let commits: string | undefined
  let committedAt = Number.NEGATIVE_INFINITY
  let haveContainersChanged = false
  let left = new Set<ReconcileStep>()
  const failed = new Map<ReconcileStep, { failures: number; skip: number }>()
  const underWay = new Map<ReconcileStep, Promise<void>>()
  const start = (worker: WorkerContext, step: ReconcileStep): Promise<void> => {
    const running = runStep(deps, worker, step).then((result) => {
      underWay.delete(step)
      if (result === 'again') left.add(step)
      const failures = (failed.get(step)?.failures ?? 0) + 1
      if (result === 'failed') failed.set(step, { failures, skip: roundsToSkip(failures) })
      else failed.delete(step)
    })
    underWay.set(step, running)
    return running
  }
  const run = async (worker: WorkerContext, step: ReconcileStep): Promise<void> => {
    const over = new AbortController()
    const running = start(worker, step).finally(() => over.abort())
    await Promise.race([running, sleep(timeoutMs, undefined, { signal: over.signal }).catch(() => {})])
    if (underWay.has(step)) deps.logger.warn({ step: step.name }, 'reconcile step is slow; continuing with the others')
  }
  return {
    async round(worker) {
      const now = performance.now()
      const isFull = now - fullRoundAt >= deps.config.RECONCILE_FULL_SECONDS * 1000
      const seen = await readCommits(deps.db)
      const isCommitted = seen !== commits
      if (isCommitted) committedAt = now
      // Without commits there is nothing to compare: an idle round costs one query.
      const isCounted = isFull || now - committedAt <= countLagMs
      const [before, after] = [writes, isCounted ? await countTableWrites(deps.db) : writes]
      const isDue = (step: ReconcileStep): boolean =>
        isFull ||
        left.has(step) ||
        failed.get(step)?.skip === 0 ||
        (step.on.commits === true && isCommitted) ||
        (step.on.containers === true && haveContainersChanged) ||
        (step.on.tables ?? []).some((table) => !areWritesCounted || before.get(table) !== countOf(after, table))
      const due = steps.filter(isDue)
      for (const retry of failed.values()) retry.skip = Math.max(0, retry.skip - 1)
      // Changes from here on belong to the next round.
      commits = seen
      writes = after
      haveContainersChanged = false
      if (isFull) fullRoundAt = now
      // A running step that is due again runs in the next round.
      left = new Set(due.filter((step) => underWay.has(step)))
      await inOrder(
        due.filter((step) => !underWay.has(step)),
        (step) => run(worker, step)
      )
    },
    async settled() {
      await Promise.all(underWay.values())
    },
    containersChanged() {
      haveContainersChanged = true
    },
    runEverything() {
      fullRoundAt = Number.NEGATIVE_INFINITY
    },
    retry() {
      for (const retry of failed.values()) retry.skip = 0
    }
  }
}

function countOf(writes: TableWrites, table: string): string {
  const count = writes.get(table)
  if (count === undefined) throw new Error(`the store has no table ${table}`)
  return count
}
