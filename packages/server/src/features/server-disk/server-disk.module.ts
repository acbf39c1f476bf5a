import { z } from 'zod'
import { feature } from '../feature.ts'
import { recoverCleanup, runCleanup } from './cleanup.jobs.ts'
import { ownCleanups } from './leftovers.service.ts'
import { measureServerDisk } from './measuring.jobs.ts'
import { fullDisks } from './server-disk.attention.ts'
import { serverDiskRoutes } from './server-disk.routes.ts'

const measureJob = z.object({ isRequested: z.boolean().default(false) })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'server-disk.measure': z.input<typeof measureJob>
    'server-disk.clean': object
  }
}

const onRequestSeconds = 60

export const serverDisk = feature({
  name: 'server-disk',
  routes: [serverDiskRoutes],
  attention: [fullDisks],
  diskCleanups: ownCleanups,
  jobs: {
    'server-disk.measure': {
      concurrency: 1,
      timeoutSeconds: 1800,
      retries: 0,
      data: measureJob,
      run: (deps, { isRequested }) =>
        measureServerDisk(deps, { everySeconds: isRequested ? onRequestSeconds : deps.config.SERVER_DISK_SECONDS })
    },
    'server-disk.clean': {
      concurrency: 1,
      timeoutSeconds: 6 * 3600,
      retries: 0,
      run: (deps, _data, worker) => runCleanup(deps, worker)
    }
  },
  schedules: (config) => [{ queue: 'server-disk.measure', everySeconds: config.SERVER_DISK_SECONDS }],
  reconcile: [{ name: 'disk cleanup', on: {}, run: recoverCleanup }]
})
