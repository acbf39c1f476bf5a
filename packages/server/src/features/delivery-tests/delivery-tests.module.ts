import { feature } from '../feature.ts'
import { deliveryTestRoutes } from './delivery-tests.routes.ts'
import { getTest } from './delivery-tests.service.ts'
import { cleanUpTests } from './retention.jobs.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'delivery-tests.clean-up': object
  }
}

export const deliveryTests = feature({
  name: 'delivery-tests',
  routes: [deliveryTestRoutes],
  owners: { '/api/mail/delivery-tests/:id': ({ db }, userId, { id }) => getTest({ db }, id!, userId) },
  jobs: { 'delivery-tests.clean-up': { concurrency: 1, timeoutSeconds: 60, retries: 0, run: cleanUpTests } },
  schedules: [{ queue: 'delivery-tests.clean-up', everySeconds: 600 }]
})
