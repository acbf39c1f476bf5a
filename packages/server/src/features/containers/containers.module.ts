import { z } from 'zod'
import { ContainerLogSubscription } from '@panel/contract/deployments'
import { AdapterError } from '../../infra/adapter-error.ts'
import { feature } from '../feature.ts'
import { liveSubscription } from '../live-subscription.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { reconcileAccountCages } from './account-cages.reconcile.ts'
import { listSlots, retireSlots } from './container-slots.repository.ts'
import { followContainerLog } from './container-log-follow.service.ts'
import { containerRoutes } from './containers.routes.ts'
import { removeVolumes } from './containers.service.ts'
import { removeSlotContainers, retireContainer } from './retire.jobs.ts'

const retireJob = z.object({ deploymentId: z.string() })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'containers.retire': z.infer<typeof retireJob>
  }
}

export const containers = feature({
  name: 'containers',
  routes: [containerRoutes],
  project: {
    deleted: async (deps, trx, { id }) => {
      await retireSlots(trx, id, deps.now())
    },
    async purge(deps, projectId) {
      await removeSlotContainers(deps, await listSlots(deps.db, projectId)).catch((error: unknown) => {
        // Removed in the first round after the machine is back: the retries of a job may be hours apart.
        if (!(error instanceof AdapterError && error.kind === 'node-unavailable')) throw error
      })
      await removeVolumes(deps, projectId)
    }
  },
  live: {
    'container-log': liveSubscription({
      input: ContainerLogSubscription,
      scope: 'read',
      authorize: (deps, { userId }, { projectId }) => getOwnProject(deps.db, projectId, userId),
      follow: followContainerLog
    })
  },
  reconcile: [{ name: 'account cages', on: {}, run: reconcileAccountCages }],
  jobs: {
    'containers.retire': {
      concurrency: 4,
      timeoutSeconds: 3600,
      retries: 3,
      data: retireJob,
      run: (deps, { deploymentId }, { stopped }) => retireContainer(deps, deploymentId, stopped)
    }
  }
})
