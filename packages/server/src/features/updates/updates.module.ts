import { feature } from '../feature.ts'
import { checkForUpdate } from './updates.jobs.ts'
import { updatesRoutes } from './updates.routes.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'updates.check': object
  }
}

export const updates = feature({
  name: 'updates',
  routes: [updatesRoutes],
  jobs: { 'updates.check': { concurrency: 1, timeoutSeconds: 60, retries: 3, run: checkForUpdate } },
  schedules: [{ queue: 'updates.check', cron: '23 7 * * *' }]
})
