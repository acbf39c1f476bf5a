import { feature } from '../feature.ts'
import { dropDeliveriesBefore } from './push-deliveries.repository.ts'
import { pushReceiverRoutes } from './push-receiver.routes.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'pushes.sweep': object
  }
}

const keepDeliveriesMs = 30 * 24 * 3600 * 1000

export const pushes = feature({
  name: 'pushes',
  routes: [pushReceiverRoutes],
  jobs: {
    // After this, a repeated delivery triggers a new deployment.
    'pushes.sweep': {
      concurrency: 1,
      timeoutSeconds: 600,
      retries: 0,
      run: (deps) => dropDeliveriesBefore(deps.db, new Date(deps.now().getTime() - keepDeliveriesMs))
    }
  },
  schedules: [{ queue: 'pushes.sweep', everySeconds: 3600 }]
})
