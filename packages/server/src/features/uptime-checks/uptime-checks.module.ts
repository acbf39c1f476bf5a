import { feature } from '../feature.ts'
import { purgeHistory } from './retention.jobs.ts'
import { runDueChecks } from './run-due.jobs.ts'
import { tellState } from './uptime-notification.service.ts'
import {
  countByState,
  deleteChecksOfProject,
  isAnyCheck,
  listRestlessOf,
  pauseChecks
} from './uptime-checks.repository.ts'
import { uptimeCheckRoutes } from './uptime-checks.routes.ts'
import { getOwnCheck } from './uptime-checks.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'uptime-checks.run': object
    'uptime-checks.purge': object
  }
}

export const uptimeChecks = feature({
  name: 'uptime-checks',
  routes: [uptimeCheckRoutes],
  owners: {
    '/api/projects/:id/uptime-checks/:checkId': ({ db }, userId, { id, checkId }) =>
      getOwnCheck({ db }, userId, id!, checkId!)
  },
  jobs: {
    'uptime-checks.run': {
      concurrency: 1,
      timeoutSeconds: 300,
      retries: 0,
      run: (deps, _data, { signal }) => runDueChecks(deps, signal)
    },
    'uptime-checks.purge': { concurrency: 1, timeoutSeconds: 600, retries: 0, run: purgeHistory }
  },
  schedules: [
    { queue: 'uptime-checks.run', everySeconds: 15, isNeeded: isAnyCheck },
    { queue: 'uptime-checks.purge', everySeconds: 600 }
  ],
  project: {
    // The project row remains, so a foreign key does not delete them.
    deleted: (_deps, trx, { id }) => deleteChecksOfProject(trx, id)
  },
  account: {
    // Pause at once, so that runs in progress do not alert. Other reasons to pause are noticed at the next run.
    async suspended(deps, trx, userId) {
      const checks = await listRestlessOf(trx, userId)
      await pauseChecks(
        trx,
        checks.map(({ id }) => ({ id, pause: 'ACCOUNT_SUSPENDED' as const })),
        deps.now()
      )
      for (const check of checks) await tellState(deps, trx, { ...check, userId }, 'PAUSED')
    }
  },
  metrics: [
    {
      name: 'panel_uptime_checks',
      help: 'Uptime checks by state.',
      label: 'state',
      read: ({ db }) => countByState(db)
    }
  ]
})
