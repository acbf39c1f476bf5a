import type { Dependencies } from './dependencies.ts'
import { messageOf } from './message-of.ts'
import type { ReconcileStep, WorkerContext } from './features/feature.ts'

/** By step, what it has last failed with: what is away for a day is told once, not with every round. */
const told = new WeakMap<ReconcileStep, string>()

/** All steps at once, whatever has changed. */
export async function reconcile(deps: Dependencies, worker: WorkerContext): Promise<void> {
  await runSteps(deps, worker, stepsOf(deps))
}

export const stepsOf = ({ features }: Dependencies): ReconcileStep[] =>
  features.flatMap((feature) => feature.reconcile ?? [])

/**
 * Steps do not wait for each other, so that an engine that is away or hangs does not keep the proxy stale; one that fails is logged.
 * Resolves with those that have something left to do.
 */
export async function runSteps(
  deps: Dependencies,
  worker: WorkerContext,
  steps: readonly ReconcileStep[]
): Promise<Set<ReconcileStep>> {
  const left = new Set<ReconcileStep>()
  const run = async (step: ReconcileStep) => {
    try {
      if ((await step.run(deps, worker)) === 'again') left.add(step)
      if (told.delete(step)) deps.logger.info({ step: step.name }, 'reconcile works again')
    } catch (error) {
      left.add(step)
      const problem = messageOf(error)
      const level = told.get(step) === problem ? 'debug' : 'warn'
      told.set(step, problem)
      deps.logger[level]({ step: step.name, error: problem }, 'reconcile')
    }
  }
  for (const step of steps) if (step.isFirst) await run(step)
  await Promise.all(steps.filter((step) => !step.isFirst).map(run))
  return left
}
