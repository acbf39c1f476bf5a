import type { z } from 'zod'
import { feature } from '../feature.ts'
import { commitStatusRoutes } from './commit-status.routes.ts'
import { deleteCommitStatus } from './commit-statuses.repository.ts'
import { enqueueStatus, sendStatus, sendStatusJob } from './send-status.jobs.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'commit-status.send': z.infer<typeof sendStatusJob>
  }
}

export const commitStatus = feature({
  name: 'commit-status',
  routes: [commitStatusRoutes],
  jobs: {
    'commit-status.send': { concurrency: 4, timeoutSeconds: 60, retries: 3, data: sendStatusJob, run: sendStatus }
  },
  deployment: { changed: enqueueStatus },
  // The project row remains, so a foreign key does not delete the token.
  project: { deleted: async (_deps, trx, { id }) => void (await deleteCommitStatus(trx, id)) }
})
