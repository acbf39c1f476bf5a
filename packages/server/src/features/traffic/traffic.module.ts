import { feature } from '../feature.ts'
import { countTraffic } from './counting.watch.ts'
import { foldTraffic } from './folding.jobs.ts'
import { deleteTrafficOf } from './traffic.repository.ts'
import { trafficMetrics } from './traffic.metrics.ts'
import { trafficRoutes } from './traffic.routes.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'traffic.fold': object
  }
}

export const traffic = feature({
  name: 'traffic',
  routes: [trafficRoutes],
  jobs: { 'traffic.fold': { concurrency: 1, timeoutSeconds: 600, retries: 0, run: (deps) => foldTraffic(deps) } },
  schedules: [{ queue: 'traffic.fold', everySeconds: 3600 }],
  metrics: [trafficMetrics],
  project: { deleted: (_deps, trx, { id }) => deleteTrafficOf(trx, id) },
  // In every privileged process, because each machine has its own proxy.
  reconcile: [
    { name: 'traffic', on: {}, run: async (_deps, { resource, signal }) => resource(countTraffic).begin(signal) }
  ]
})
