import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { ReconcileStep, WorkerContext } from '../features/feature.ts'

/** Last error per step, so that a permanent failure is logged once instead of every round. */
const notified = new WeakMap<ReconcileStep, string>()

export async function reconcile(deps: Dependencies, worker: WorkerContext): Promise<void> {
  await inOrder(stepsOf(deps), (step) => runStep(deps, worker, step))
}

export const stepsOf = ({ features }: Dependencies): ReconcileStep[] =>
  features.flatMap((feature) => feature.reconcile ?? [])

/** First steps one by one, then the others in parallel, so that a hanging engine does not keep the proxy outdated. */
export async function inOrder(
  steps: readonly ReconcileStep[],
  run: (step: ReconcileStep) => Promise<unknown>
): Promise<void> {
  for (const step of steps) if (step.isFirst) await run(step)
  await Promise.all(steps.filter((step) => !step.isFirst).map(run))
}

/** Never rejects: failures are logged. `again`: work is left. */
export async function runStep(
  deps: Dependencies,
  worker: WorkerContext,
  step: ReconcileStep
): Promise<'done' | 'again' | 'failed'> {
  try {
    const result = await step.run(deps, worker)
    if (notified.delete(step)) deps.logger.info({ step: step.name }, 'reconcile step recovered')
    return result === 'again' ? 'again' : 'done'
  } catch (error) {
    const problem = messageOf(error)
    const level = notified.get(step) === problem ? 'debug' : 'warn'
    notified.set(step, problem)
    deps.logger[level]({ step: step.name, error: problem }, 'reconcile step failed')
    return 'failed'
  }
}
