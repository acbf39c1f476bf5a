import { z } from 'zod'
import { feature } from '../feature.ts'
import { checkForUpdate } from './updates.jobs.ts'
import { updatesRoutes } from './updates.routes.ts'
import { prepareUpgrade, reportUpgrade } from './upgrade.jobs.ts'

const upgradeJob = z.object({ source: z.string() })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'updates.check': object
    'updates.upgrade': z.infer<typeof upgradeJob>
  }
}

export const updates = feature({
  name: 'updates',
  routes: [updatesRoutes],
  jobs: {
    'updates.check': { concurrency: 1, timeoutSeconds: 60, retries: 3, run: checkForUpdate },
    'updates.upgrade': { concurrency: 1, timeoutSeconds: 7200, retries: 3, data: upgradeJob, run: prepareUpgrade }
  },
  schedules: [{ queue: 'updates.check', cron: '23 7 * * *' }],
  reconcile: [{ name: 'upgrade report', on: {}, run: reportUpgrade }]
})
