import type { Dependencies } from '../dependencies.ts'
import type { Job, WorkerContext } from '../features/feature.ts'
import type { QueueName } from './jobs.ts'

/** Starts workers for the queues of all features. Returns the set of jobs in progress. */
export async function startJobs(
  deps: Dependencies,
  worker: () => WorkerContext,
  stopped: AbortSignal
): Promise<ReadonlySet<Promise<unknown>>> {
  const running = new Set<Promise<unknown>>()
  const handlers = deps.features.flatMap((feature) => Object.entries(feature.jobs ?? {}) as [QueueName, Job<unknown>][])
  for (const [queue, { concurrency, timeoutSeconds, retries, data: schema, run }] of handlers) {
    const options = {
      concurrency: typeof concurrency === 'number' ? concurrency : () => concurrency(deps.config),
      timeoutSeconds,
      retryLimit: retries
    }
    await deps.jobs.work(queue, options, async (data) => {
      stopped.throwIfAborted()
      const job = run(deps, schema ? schema.parse(data) : data, worker())
      running.add(job)
      await job.finally(() => running.delete(job))
    })
  }
  return running
}
