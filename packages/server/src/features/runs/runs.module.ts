import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { feature } from '../feature.ts'
import { correctTimes, queueDueJobs } from './due-jobs.jobs.ts'
import { executeRun } from './run-execution.jobs.ts'
import { recoverRuns } from './runs.reconcile.ts'
import { countOpenByStatus, deleteOldRuns, deleteRunsOfProject, listOpenRuns, stopAll } from './runs.repository.ts'
import { runRoutes } from './runs.routes.ts'
import { getOwnRun } from './runs.service.ts'
import { deleteJobsOfProject, isAnyJobDue } from './scheduled-jobs.repository.ts'
import { scheduledJobRoutes } from './scheduled-jobs.routes.ts'
import { getOwnScheduledJob } from './scheduled-jobs.service.ts'

const runJob = z.object({ runId: Id })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'runs.run': z.infer<typeof runJob>
    'runs.due': object
    'runs.sweep': object
  }
}

const keptRuns = 100

export const runs = feature({
  name: 'runs',
  routes: [scheduledJobRoutes, runRoutes],
  owners: {
    '/api/projects/:id/scheduled-jobs/:jobId': ({ db }, userId, { id, jobId }) =>
      getOwnScheduledJob(db, userId, { projectId: id!, jobId: jobId! }),
    '/api/projects/:id/runs/:runId': ({ db }, userId, { id, runId }) =>
      getOwnRun(db, userId, { projectId: id!, runId: runId! })
  },
  jobs: {
    // They wait for containers; RUNS_PER_ACCOUNT and the account's cgroup are the limits.
    'runs.run': {
      concurrency: 64,
      timeoutSeconds: 24 * 3600 - 1,
      retries: 0,
      data: runJob,
      run: (deps, { runId }, worker) => executeRun(deps, worker, runId)
    },
    'runs.due': {
      concurrency: 1,
      timeoutSeconds: 300,
      retries: 0,
      run: (deps, _data, { signal }) => queueDueJobs(deps, signal)
    },
    'runs.sweep': {
      concurrency: 1,
      timeoutSeconds: 600,
      retries: 0,
      async run(deps) {
        await correctTimes(deps)
        await deleteOldRuns(deps.db, keptRuns)
      }
    }
  },
  schedules: [
    { queue: 'runs.due', everySeconds: 5, isNeeded: isAnyJobDue },
    { queue: 'runs.sweep', everySeconds: 3600 }
  ],
  account: { suspended: (deps, trx, userId) => stopAll(trx, { userId }, deps.now()) },
  project: {
    listRuns: async (db) => (await listOpenRuns(db)).map(({ id }) => id),
    // The project row remains, so a foreign key does not delete them. Their containers go with the project's slots.
    async deleted(_deps, trx, { id }) {
      await deleteJobsOfProject(trx, id)
      await deleteRunsOfProject(trx, id)
    }
  },
  metrics: [
    {
      name: 'panel_runs_open',
      help: 'Waiting and running scheduled jobs and one-off commands by status',
      label: 'status',
      read: ({ db }) => countOpenByStatus(db)
    }
  ],
  reconcile: [{ name: 'runs', on: { commits: true }, run: (deps, { lease }) => recoverRuns(deps, lease) }]
})
