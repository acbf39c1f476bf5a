import { feature } from '../feature.ts'
import { createBuildNetworks } from './build-networks.service.ts'
import { detectionRoutes } from './detection.routes.ts'
import { inspectionRoutes } from './inspection.routes.ts'
import { watchRetention } from './image-retention.watch.ts'
import { measureImages, measureOwnedFiles } from './image-disk.service.ts'
import { cleanUpImages, removeProjectImages } from './image-cleanup.jobs.ts'
import { imageCleanups, imagePlaces } from './server-disk.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'images.clean': object
  }
}

export const builds = feature({
  name: 'builds',
  routes: [detectionRoutes, inspectionRoutes],
  jobs: { 'images.clean': { concurrency: 1, timeoutSeconds: 600, retries: 0, run: cleanUpImages } },
  diskPlaces: imagePlaces,
  diskCleanups: imageCleanups,
  diskUsage: { kind: 'IMAGES', measure: measureImages, measureOwned: measureOwnedFiles },
  project: { purge: removeProjectImages },
  schedules: [{ queue: 'images.clean', everySeconds: 600 }],
  reconcile: [
    { name: 'image retention', on: {}, run: async (_deps, { resource }) => void resource(watchRetention) },
    {
      name: 'build networks',
      on: {},
      run: (_deps, { resource, lease }) => resource(createBuildNetworks).sweep((ids) => lease.findDead(ids))
    }
  ]
})
