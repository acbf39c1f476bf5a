import { feature } from '../feature.ts'
import { measureVolumes } from './measuring.jobs.ts'
import { stagingPrefix } from './mounts.service.ts'
import { removeUnmounted, removeVolumesOf } from './removal.reconcile.ts'
import { listUnfilledIds } from './volumes.repository.ts'
import { volumeRoutes } from './volumes.routes.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'volumes.measure': object
  }
}

export const volumes = feature({
  name: 'volumes',
  routes: [volumeRoutes],
  jobs: {
    'volumes.measure': { concurrency: 1, timeoutSeconds: 1_800, retries: 0, run: (deps) => measureVolumes(deps) }
  },
  schedules: ({ DISK_MEASURE_SECONDS }) => [{ queue: 'volumes.measure', everySeconds: DISK_MEASURE_SECONDS }],
  // Runs after the containers are removed, which could still write.
  project: { purge: removeVolumesOf },
  reconcile: [{ name: 'deleted volumes', on: { tables: ['volumes'], containers: true }, run: removeUnmounted }],
  staging: [
    {
      folder: '',
      prefix: stagingPrefix,
      listKept: async (db) => (await listUnfilledIds(db)).map((id) => `${stagingPrefix}${id}`)
    }
  ]
})
