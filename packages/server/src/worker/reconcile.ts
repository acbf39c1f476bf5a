import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { ReconcileStep, WorkerContext } from '../features/feature.ts'

/** By step, what it has last failed with: what is away for a day is told once, not with every round. */
const notified = new WeakMap<ReconcileStep, string>()

/** All steps, whatever has changed; resolves when each is over. */
export async function reconcile(deps: Dependencies, worker: WorkerContext): Promise<void> {
  await inOrder(stepsOf(deps), (step) => runStep(deps, worker, step))
}

export const stepsOf = ({ features }: Dependencies): ReconcileStep[] =>
  features.flatMap((feature) => feature.reconcile ?? [])

/** First steps one by one, then the others at once: an engine that is away or hangs does not keep the proxy stale. */
export async function inOrder(
  steps: readonly ReconcileStep[],
  run: (step: ReconcileStep) => Promise<unknown>
): Promise<void> {
  for (const step of steps) if (step.isFirst) await run(step)
  await Promise.all(steps.filter((step) => !step.isFirst).map(run))
}

/** Never rejects: failures are logged. `again`: something is left to do. */
export async function runStep(
  deps: Dependencies,
  worker: WorkerContext,
  step: ReconcileStep
): Promise<'done' | 'again' | 'failed'> {
  try {
    const result = await step.run(deps, worker)
    if (notified.delete(step)) deps.logger.info({ step: step.name }, 'reconcile works again')
    return result === 'again' ? 'again' : 'done'
  } catch (error) {
    const problem = messageOf(error)
    const level = notified.get(step) === problem ? 'debug' : 'warn'
    notified.set(step, problem)
    deps.logger[level]({ step: step.name, error: problem }, 'reconcile')
    return 'failed'
  }
}
