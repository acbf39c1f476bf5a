import { DeploymentLogSubscription } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { createBuildNetworks } from '../builds/build-networks.service.ts'
import { feature, type WorkerContext } from '../feature.ts'
import { liveSubscription } from '../live-subscription.ts'
import { failedDeployments } from './deployments.attention.ts'
import { reconcileContainers } from './containers.reconcile.ts'
import type { DeploymentQueue } from './deployment.machine.ts'
import { followDeploymentLog, getDeploymentOfOwnProject, getOwnDeployment } from './deployment-log-reading.service.ts'
import { queueConcurrency, runQueue } from './deployment-runner.jobs.ts'
import {
  cancelOpenDeployments,
  cancelOpenDeploymentsOf,
  forgetImagesOf,
  countOpenDeployments
} from './deployments.repository.ts'
import { deploymentRoutes } from './deployments.routes.ts'
import { sumLogs } from './log-retention.repository.ts'
import { removeProjectLogs, trimAllLogs } from './log-retention.jobs.ts'
import { machineMoveRoutes } from './machine-moves.routes.ts'
import { leaveMachines, spreadInstances } from './machine-moves.service.ts'
import { areSeveralAdded } from '../nodes/node-access.ts'
import { resizeContainers } from './resize.service.ts'
import { redeployLiveImage } from './deployments.service.ts'
import { reconcileMounts } from './volumes.reconcile.ts'
import { prepareStandbys } from './standby.service.ts'
import { recoverDeployments, enqueuePending } from './recovery.reconcile.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'deployments.build': object
    'deployments.image': object
    'deployments.trim_logs': object
    'deployments.leave_machines': object
    'deployments.prepare_standbys': object
  }
}

// The rows are the queue: a job only wakes a worker, so it needs no retries (reconcile wakes it too).
const wakeUp = { timeoutSeconds: 24 * 3600 - 1, retries: 0 }

const work = (deps: Dependencies, { lease, signal, resource }: WorkerContext, queue: DeploymentQueue) =>
  runQueue(deps, { lease, signal, buildNetworks: resource(createBuildNetworks) }, queue)

export const deployments = feature({
  name: 'deployments',
  attention: [failedDeployments],
  routes: [deploymentRoutes, machineMoveRoutes],
  owners: {
    '/api/projects/:id/deployments/:deploymentId': ({ db }, userId, { id, deploymentId }) =>
      getDeploymentOfOwnProject({ db }, userId, id!, deploymentId!)
  },
  jobs: {
    'deployments.build': {
      ...wakeUp,
      concurrency: queueConcurrency.build,
      run: (deps, _data, worker) => work(deps, worker, 'build')
    },
    'deployments.image': {
      ...wakeUp,
      concurrency: queueConcurrency.image,
      run: (deps, _data, worker) => work(deps, worker, 'image')
    },
    'deployments.trim_logs': { concurrency: 1, timeoutSeconds: 3600, retries: 0, run: (deps) => trimAllLogs(deps) },
    'deployments.leave_machines': { concurrency: 1, timeoutSeconds: 120, retries: 0, run: leaveMachines },
    'deployments.prepare_standbys': { concurrency: 1, timeoutSeconds: 3600, retries: 0, run: (deps, _data, worker) => prepareStandbys(deps, worker) } // oxfmt-ignore
  },
  schedules: [
    { queue: 'deployments.trim_logs', everySeconds: 3600 },
    { queue: 'deployments.prepare_standbys', everySeconds: 60, isNeeded: areSeveralAdded }
  ],
  account: { suspended: async (deps, trx, userId) => cancelOpenDeploymentsOf(trx, userId, deps.now()) },
  project: {
    deleted: (deps, trx, { id }) => cancelOpenDeployments(trx, id, deps.now()),
    resized: resizeContainers,
    mountsChanged: redeployLiveImage,
    async purge(deps, projectId) {
      await forgetImagesOf(deps.db, projectId)
      await removeProjectLogs(deps, projectId)
    }
  },
  diskUsage: {
    kind: 'LOGS',
    measure: (deps, accounts) =>
      sumLogs(
        deps.db,
        accounts.map(({ id }) => id)
      )
  },
  live: {
    'deployment-log': liveSubscription({
      input: DeploymentLogSubscription,
      scope: 'read',
      authorize: (deps, { userId }, { deploymentId }) => getOwnDeployment(deps, userId, deploymentId),
      follow: followDeploymentLog
    })
  },
  metrics: [
    {
      name: 'panel_deployments_open',
      help: 'Queued and running deployments by status',
      label: 'status',
      read: (deps) => countOpenDeployments(deps.db)
    }
  ],
  reconcile: [
    {
      name: 'deployments',
      on: { commits: true },
      isFirst: true,
      async run(deps, { lease }) {
        const { underWay } = await recoverDeployments(deps, lease)
        const isAnyQueued = await enqueuePending(deps)
        return underWay > 0 || isAnyQueued ? 'again' : 'done'
      }
    },
    {
      name: 'containers',
      on: { tables: ['projects', 'deployments', 'container_slots', 'wordpress_imports'], containers: true },
      run: reconcileContainers
    },
    { name: 'projects that leave machines', on: { tables: ['nodes'] }, run: leaveMachines },
    { name: 'instances on machines', on: { tables: ['nodes', 'container_slots'] }, run: spreadInstances },
    { name: 'volumes of containers', on: { tables: ['projects', 'deployments', 'volumes'] }, run: reconcileMounts }
  ]
})
