import { countLagMs, countTableWrites, readCommits, type TableWrites } from './db/table-writes.ts'
import type { Dependencies } from './dependencies.ts'
import type { ReconcileStep, WorkerContext } from './features/feature.ts'
import { runSteps, stepsOf } from './reconcile.ts'

/** Makes the outside what the store says, feature by feature. */
interface Reconciler {
  /** Runs the steps that are due. */
  round(worker: WorkerContext): Promise<void>
  /** A container of ours has changed, or may have. */
  containersChanged(): void
}

/** `areWritesCounted`: without the store's figures, whatever hangs on a table is compared in every round. */
export function createReconciler(deps: Dependencies, areWritesCounted: boolean): Reconciler {
  const steps = stepsOf(deps)
  if (!areWritesCounted)
    deps.logger.warn(
      'the store does not count writes, so all rows are compared in each round: set track_counts = on there and restart the panel'
    )
  let fullRoundAt = Number.NEGATIVE_INFINITY
  let writes: TableWrites = new Map()
  let commits: string | undefined
  let committedAt = Number.NEGATIVE_INFINITY
  let haveContainersChanged = false
  let left = new Set<ReconcileStep>()
  return {
    async round(worker) {
      const now = performance.now()
      const isFull = now - fullRoundAt >= deps.config.RECONCILE_FULL_SECONDS * 1000
      const seen = await readCommits(deps.db)
      const isCommitted = seen !== commits
      if (isCommitted) committedAt = now
      // While nobody writes there is nothing to compare: a round costs one question to the store.
      const isCounted = isFull || now - committedAt <= countLagMs
      const [before, after] = [writes, isCounted ? await countTableWrites(deps.db) : writes]
      const isDue = (step: ReconcileStep): boolean =>
        isFull ||
        left.has(step) ||
        (step.on.commits === true && isCommitted) ||
        (step.on.containers === true && haveContainersChanged) ||
        (step.on.tables ?? []).some((table) => !areWritesCounted || before.get(table) !== countOf(after, table))
      const due = steps.filter(isDue)
      // What changes from here on makes the next round.
      commits = seen
      writes = after
      haveContainersChanged = false
      if (isFull) fullRoundAt = now
      left = await runSteps(deps, worker, due)
    },
    containersChanged() {
      haveContainersChanged = true
    }
  }
}

function countOf(writes: TableWrites, table: string): string {
  const count = writes.get(table)
  if (count === undefined) throw new Error(`the store has no table ${table}`)
  return count
}
