import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Dependencies } from './dependencies.ts'
import { messageOf } from './errors.ts'
import { retireContainer } from './features/containers/retire.ts'
import { alertJob, mailAlert } from './features/certificates/alerts.service.ts'
import { issueJob, issueNext } from './features/certificates/issue-next.ts'
import { evaluateExpiries, recoverOrders, renewDue, sweepOrders } from './features/certificates/renewal.ts'
import { type BuildNetworks, createBuildNetworks } from './features/builds/build-networks.ts'
import { type Lane, lanes } from './features/deployments/deployment.machine.ts'
import { runLane } from './features/deployments/deployment-runner.ts'
import { cleanUpImages, requestImageCleanUp } from './features/builds/image-cleanup.ts'
import { sendPasswordReset } from './features/password-reset/password-reset.service.ts'
import { purgeProject } from './features/projects/purge.ts'
import { forgetFormerZones } from './features/dns-zones/zones.repository.ts'
import { reconcile } from './features/reconcile/reconcile.ts'
import { runImport } from './features/wordpress/import-job.ts'
import type { JobQueue } from './infra/job-queue/job-queue.ts'
import { takeWorkerLease, type WorkerLease } from './infra/worker-lease/worker-lease.ts'
import type { QueueName } from './jobs.ts'

// A day more than the expiry in the zones' SOA records.
const keepFormerZonesMs = 15 * 24 * 3600 * 1000
const reconcileEveryMs = 5_000
const cleanUpEveryMs = 10 * 60_000
const renewEveryMs = 60_000
const evaluateEveryMs = 3600_000
// Work on kept images is short and must not wait behind builds.
const imageLaneConcurrency = 4
// By the kind of order: a flood of first ones does not keep the renewals waiting. Each holds a connection to the store of its own.
const orderConcurrency = { 'certificates.renew': 2, 'certificates.issue': 3 } as const
// What is aborted ends within this time; what does not is left to the recovery of the next worker.
const stopLimitMs = 10_000

const purgeJob = z.object({
  projectId: z.string(),
  // As version 0.1 queued it.
  hostnames: z.array(z.string()).default([]),
  routes: z.array(z.object({ hostname: z.string(), pathPrefix: z.string().nullable() })).default([]),
  certificateIds: z.array(z.string()).default([]),
  zoneIds: z.array(z.string()).default([])
})
const importJob = z.object({ importId: z.string() })
const resetRequest = z.object({ email: z.string(), ip: z.string().optional(), userAgent: z.string().optional() })

export interface Worker {
  /** Ends its work: what is being built or deployed fails with the reason, and what serves goes on. */
  stop(): Promise<void>
}

/** Runs jobs and the reconcile loop, under a lease that tells others when this worker is gone. */
export async function startWorker(deps: Dependencies, databaseUrl: string): Promise<Worker> {
  let stopping = new AbortController()
  const stopped = new AbortController()
  let lease: WorkerLease
  const onLost = (error: Error) => {
    deps.logger.error({ error: messageOf(error) }, 'worker lease lost; its work is aborted')
    stopping.abort(error)
  }
  lease = await takeWorkerLease(databaseUrl, onLost)
  let buildNetworks: BuildNetworks = createBuildNetworks(deps, lease.workerId)
  if (await lease.isAlone()) {
    await deps.jobs.retryInterrupted()
    await deps.fileStore
      .sweep()
      .catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'sweep of cut off uploads'))
  }

  const jobsInHand = new Set<Promise<void>>()
  const work = (
    queue: QueueName,
    options: Parameters<JobQueue['work']>[1],
    handler: (data: unknown) => Promise<void>
  ) =>
    deps.jobs.work(queue, options, async (data) => {
      stopped.signal.throwIfAborted()
      const job = handler(data)
      jobsInHand.add(job)
      await job.finally(() => jobsInHand.delete(job))
    })
  const laneHandler = (lane: Lane) => () => runLane(deps, { lease, signal: stopping.signal, buildNetworks }, lane)
  // The rows are the queue: a lane's job only wakes, so it is never tried again by itself (the reconcile loop wakes too).
  const laneOptions = { timeoutSeconds: 24 * 3600 - 1, retryLimit: 0 }
  await work(lanes.build.queue, { ...laneOptions, concurrency: deps.config.BUILD_CONCURRENCY }, laneHandler('build'))
  await work(lanes.image.queue, { ...laneOptions, concurrency: imageLaneConcurrency }, laneHandler('image'))
  await work('containers.retire', { concurrency: 4, timeoutSeconds: 3600, retryLimit: 3 }, (data) =>
    retireContainer(deps, z.object({ deploymentId: z.string() }).parse(data).deploymentId, stopped.signal)
  )
  await work('images.clean', { concurrency: 1, timeoutSeconds: 600, retryLimit: 0 }, () => cleanUpImages(deps))
  await work('projects.purge', { concurrency: 2, timeoutSeconds: 600, retryLimit: 50 }, (data) => {
    const { projectId, hostnames, ...removal } = purgeJob.parse(data)
    const former = hostnames.map((hostname) => ({ hostname, pathPrefix: null }))
    return purgeProject(deps, projectId, { ...removal, routes: [...removal.routes, ...former] })
  })
  await work('accounts.password-reset', { concurrency: 2, timeoutSeconds: 120, retryLimit: 5 }, (data) =>
    sendPasswordReset(deps, resetRequest.parse(data))
  )
  for (const queue of ['certificates.renew', 'certificates.issue'] as const)
    await work(queue, { concurrency: orderConcurrency[queue], timeoutSeconds: 900, retryLimit: 10 }, (data) =>
      issueNext(deps, { queue, userId: issueJob.parse(data).userId, stopped: stopped.signal })
    )
  await work('certificates.alert', { concurrency: 1, timeoutSeconds: 120, retryLimit: 8 }, (data) =>
    mailAlert(deps, alertJob.parse(data).certificateId)
  )
  // The row is the queue here too.
  await work('wordpress.import', { concurrency: 3, timeoutSeconds: 24 * 3600 - 1, retryLimit: 0 }, (data) =>
    runImport(deps, lease.workerId, importJob.parse(data).importId, stopping.signal)
  )

  const every = async (intervalMs: number, task: () => Promise<void>) => {
    while (!stopped.signal.aborted) {
      await task().catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'periodic work'))
      await sleep(intervalMs, undefined, { signal: stopped.signal }).catch(() => {}) // Woken to stop.
    }
  }
  const loops = [
    every(reconcileEveryMs, async () => {
      if (stopping.signal.aborted) {
        lease = await takeWorkerLease(databaseUrl, onLost)
        stopping = new AbortController()
        buildNetworks = createBuildNetworks(deps, lease.workerId)
      }
      await reconcile(deps, { lease, signal: stopped.signal, buildNetworks })
    }),
    every(cleanUpEveryMs, () => requestImageCleanUp(deps)),
    every(renewEveryMs, async () => {
      await renewDue(deps)
      await recoverOrders(deps)
    }),
    every(evaluateEveryMs, async () => {
      await evaluateExpiries(deps)
      await sweepOrders(deps)
      await forgetFormerZones(deps.db, new Date(deps.now().getTime() - keepFormerZonesMs))
    })
  ]
  return {
    async stop() {
      stopped.abort()
      stopping.abort(new Error('the panel stops'))
      await Promise.race([Promise.allSettled([...loops, ...jobsInHand]), sleep(stopLimitMs, undefined, { ref: false })])
      await buildNetworks.close()
      await lease.close()
    }
  }
}
