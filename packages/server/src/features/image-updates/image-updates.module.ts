import { feature } from '../feature.ts'
import { checkDueImages } from './check-images.jobs.ts'
import { isAnyImageDue } from './image-checks.repository.ts'
import { deleteImageCheck } from './image-checks.repository.ts'
import { imageUpdateRoutes } from './image-updates.routes.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'image-updates.check': object
  }
}

export const imageUpdates = feature({
  name: 'image-updates',
  routes: [imageUpdateRoutes],
  jobs: {
    'image-updates.check': {
      concurrency: 1,
      timeoutSeconds: 600,
      retries: 0,
      run: (deps, _data, worker) => checkDueImages(deps, worker)
    }
  },
  schedules: [{ queue: 'image-updates.check', everySeconds: 60, isNeeded: isAnyImageDue }],
  // The project row remains, so a foreign key does not delete the check.
  project: { deleted: async (_deps, trx, { id }) => void (await deleteImageCheck(trx, id)) },
  projectTypes: { IMAGE: { isWithoutRepository: true, prepare: async () => {}, prepareFiles: async () => {} } }
})
