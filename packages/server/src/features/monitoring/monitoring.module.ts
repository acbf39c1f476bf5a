import { feature } from '../feature.ts'
import { liveMetrics } from './metrics.live.ts'
import { monitoringMetrics } from './monitoring.metrics.ts'
import { monitoringRoutes } from './monitoring.routes.ts'
import { condenseMetrics, recordMinute } from './recording.jobs.ts'
import { deleteUsageOf } from './usage-series.repository.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'metrics.record': object
    'metrics.condense': object
  }
}

export const monitoring = feature({
  name: 'monitoring',
  routes: [monitoringRoutes],
  metrics: [monitoringMetrics],
  jobs: {
    // No retry: the next minute has its own job.
    'metrics.record': { concurrency: 1, timeoutSeconds: 50, retries: 0, run: (deps) => recordMinute(deps) },
    'metrics.condense': { concurrency: 1, timeoutSeconds: 900, retries: 0, run: (deps) => condenseMetrics(deps) }
  },
  schedules: [
    { queue: 'metrics.record', everySeconds: 60 },
    { queue: 'metrics.condense', everySeconds: 900 }
  ],
  project: { deleted: (_deps, trx, { id }) => deleteUsageOf(trx, id) },
  live: { metrics: liveMetrics }
})
