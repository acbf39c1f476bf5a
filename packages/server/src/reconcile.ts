import type { Dependencies } from './dependencies.ts'
import { messageOf } from './errors.ts'
import type { ReconcileStep, WorkerContext } from './features/feature.ts'

/**
 * Makes the outside what the store says, feature by feature. Steps do not wait for each other, so that an engine that is away or
 * hangs does not keep the proxy stale; one that fails is logged and tried again in the next round.
 */
export async function reconcile(deps: Dependencies, worker: WorkerContext): Promise<void> {
  const steps = deps.features.flatMap((feature) => feature.reconcile ?? [])
  const run = ({ name, run }: ReconcileStep) =>
    run(deps, worker).catch((error: unknown) => deps.logger.warn({ step: name, error: messageOf(error) }, 'reconcile'))
  for (const step of steps) if (step.isFirst) await run(step)
  await Promise.all(steps.filter((step) => !step.isFirst).map(run))
}
