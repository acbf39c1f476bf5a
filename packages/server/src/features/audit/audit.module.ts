import { feature } from '../feature.ts'
import { auditRoutes } from './audit.routes.ts'
import { chainPending } from './chaining.service.ts'
import { archiveAudit } from './retention.jobs.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'audit.archive': object
  }
}

export const audit = feature({
  name: 'audit',
  routes: [auditRoutes],
  jobs: { 'audit.archive': { concurrency: 1, timeoutSeconds: 3600, retries: 0, run: (deps) => archiveAudit(deps) } },
  schedules: [{ queue: 'audit.archive', everySeconds: 3600 }],
  reconcile: [{ name: 'audit', on: { tables: ['audit_pending'] }, run: (deps) => chainPending(deps) }]
})
