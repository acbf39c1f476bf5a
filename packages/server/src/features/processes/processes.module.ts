import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { feature } from '../feature.ts'
import { syncProcesses } from './process-containers.service.ts'
import { workerCapacity } from './process-limits.policy.ts'
import { wantedInstances } from './process-plan.policy.ts'
import { ailingWorkers } from './processes.attention.ts'
import { processesReleased } from './processes.hooks.ts'
import { reconcileProcesses } from './processes.reconcile.ts'
import { deleteProcessesOf, listLiveWorkers, sumWorkers } from './processes.repository.ts'
import { processRoutes } from './processes.routes.ts'

const syncJob = z.object({ projectId: Id })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'processes.sync': z.infer<typeof syncJob>
  }
}

export const processes = feature({
  name: 'processes',
  routes: [processRoutes],
  attention: [ailingWorkers],
  jobs: {
    // Reconcile repeats what fails.
    'processes.sync': {
      concurrency: 8,
      timeoutSeconds: 300,
      retries: 0,
      data: syncJob,
      run: (deps, { projectId }) => syncProcesses(deps, projectId)
    }
  },
  capacity: (config, db, scope) =>
    sumWorkers(db, scope, workerCapacity(config, { memoryMb: null, cpus: null, instances: 1 })),
  project: {
    released: processesReleased,
    listRuns: async (db) => (await listLiveWorkers(db)).flatMap(wantedInstances).map(({ key }) => key),
    // The project row remains, so a foreign key does not delete them. Their containers go with the project's slots.
    deleted: (_deps, trx, { id }) => deleteProcessesOf(trx, id)
  },
  reconcile: [
    {
      name: 'processes',
      on: {
        tables: ['projects', 'deployments', 'processes', 'container_slots', 'volumes', 'wordpress_imports'],
        containers: true
      },
      run: reconcileProcesses
    }
  ]
})
