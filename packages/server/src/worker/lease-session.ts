import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import type { WorkerContext, WorkerResource } from '../features/feature.ts'
import { takeWorkerLease, type WorkerLease } from '../infra/worker-lease/worker-lease.ts'

/** Losing the lease aborts the work in progress; `renew` starts over with a new one. */
interface LeaseSession {
  current(): WorkerContext
  isAlone(): Promise<boolean>
  isOldest(): Promise<boolean>
  renew(): Promise<void>
  abort(reason: Error): void
  close(): Promise<void>
}

export async function openLeaseSession(
  deps: Dependencies,
  databaseUrl: string,
  stopped: AbortSignal
): Promise<LeaseSession> {
  let session = await take()

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
    current: () => session.context,
    isAlone: () => session.lease.isAlone(),
    isOldest: () => session.lease.isOldest(),
    async renew() {
      if (session.ending.signal.aborted && !stopped.aborted) session = await take()
    },
    abort: (reason) => session.ending.abort(reason),
    async close() {
      for (const resource of session.resources.values()) await resource.close()
      await session.lease.close()
    }
  }
}
