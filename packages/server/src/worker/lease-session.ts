import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { WorkerContext, WorkerResource } from '../features/feature.ts'
import { takeWorkerLease, type WorkerLease } from '../infra/worker-lease/worker-lease.ts'

/** The worker's lease, and what hangs on it: a lost one ends all work in hand, and the next one begins anew. */
interface WorkerTenure {
  current(): WorkerContext
  isAlone(): Promise<boolean>
  /** Takes a new lease where the last one was lost. */
  renew(): Promise<void>
  /** Ends the work in hand. */
  abort(reason: Error): void
  /** Closes what was made for the work. */
  close(): Promise<void>
}

export async function openTenure(deps: Dependencies, databaseUrl: string, stopped: AbortSignal): Promise<WorkerTenure> {
  let tenure = await take()

  async function take() {
    const ending = new AbortController()
    const resources = new Map<unknown, WorkerResource>()
    const lease: WorkerLease = await takeWorkerLease(databaseUrl, (error) => {
      deps.logger.error({ error: messageOf(error) }, 'worker lease lost; its work is aborted')
      ending.abort(error)
    })
    const resource: WorkerContext['resource'] = (open) => {
      const made = (resources.get(open) as ReturnType<typeof open> | undefined) ?? open(deps, lease.workerId)
      resources.set(open, made)
      return made
    }
    return { ending, lease, resources, context: { lease, signal: ending.signal, stopped, resource } }
  }

  return {
    current: () => tenure.context,
    isAlone: () => tenure.lease.isAlone(),
    async renew() {
      if (tenure.ending.signal.aborted && !stopped.aborted) tenure = await take()
    },
    abort: (reason) => tenure.ending.abort(reason),
    async close() {
      for (const resource of tenure.resources.values()) await resource.close()
      await tenure.lease.close()
    }
  }
}
