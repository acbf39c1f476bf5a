import { setTimeout as sleep } from 'node:timers/promises'
import { areWritesCounted } from './db/table-writes.ts'
import type { Dependencies } from './dependencies.ts'
import { messageOf } from './message-of.ts'
import { schedulesOf } from './features/feature.ts'
import { startJobs } from './jobs-runner.ts'
import { watchContainers } from './container-watch.ts'
import { createReconciler } from './reconciler.ts'
import { openTenure } from './worker-tenure.ts'

// What is aborted ends within this time; what does not is left to the recovery of the next worker.
const stopLimitMs = 10_000

interface Worker {
  /** Ends its work: what is being built or deployed fails with the reason, and what serves goes on. */
  stop(): Promise<void>
}

/** Runs the features' jobs, schedules and reconcile steps, under a lease that tells others when this worker is gone. */
export async function startWorker(deps: Dependencies, databaseUrl: string): Promise<Worker> {
  const stopped = new AbortController()
  const reconciler = createReconciler(deps, await areWritesCounted(deps.db))
  const tenure = await openTenure(deps, databaseUrl, stopped.signal)
  if (await tenure.isAlone()) {
    for (const { name, recover } of deps.features)
      await recover?.(deps).catch((error: unknown) =>
        deps.logger.warn({ feature: name, error: messageOf(error) }, 'recovery')
      )
  }
  const jobsInHand = await startJobs(deps, tenure.current, stopped.signal)

  deps.jobs.schedule(deps.features.flatMap((feature) => schedulesOf(feature, deps.config)))

  const watching = watchContainers(deps, () => reconciler.containersChanged(), stopped.signal)
  const reconciling = (async () => {
    while (!stopped.signal.aborted) {
      await tenure
        .renew()
        .then(() => reconciler.round(tenure.current()))
        .catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'reconcile'))
      await sleep(deps.config.RECONCILE_SECONDS * 1000, undefined, { signal: stopped.signal }).catch(() => {}) // Woken to stop.
    }
  })()
  return {
    async stop() {
      stopped.abort()
      tenure.abort(new Error('the panel stops'))
      await Promise.race([
        Promise.allSettled([reconciling.then(() => reconciler.settled()), watching, ...jobsInHand]),
        sleep(stopLimitMs, undefined, { ref: false })
      ])
      await tenure.close()
    }
  }
}
