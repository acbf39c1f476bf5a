import { feature } from '../feature.ts'
import { diskUsageMetrics } from './disk-usage.metrics.ts'
import { diskUsageRoutes } from './disk-usage.routes.ts'
import { measureDisk } from './measuring.jobs.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'disk.measure': object
  }
}

export const diskUsage = feature({
  name: 'disk-usage',
  routes: [diskUsageRoutes],
  metrics: [diskUsageMetrics],
  jobs: { 'disk.measure': { concurrency: 1, timeoutSeconds: 3600, retries: 0, run: (deps) => measureDisk(deps) } },
  schedules: (config) => [{ queue: 'disk.measure', everySeconds: config.DISK_MEASURE_SECONDS }]
})
