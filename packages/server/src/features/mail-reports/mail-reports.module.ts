import { getOwnDomain } from '../domains/domain-access.ts'
import { feature } from '../feature.ts'
import { mailReportRoutes } from './mail-reports.routes.ts'
import { purgeReports } from './retention.jobs.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'mail-reports.purge': object
  }
}

export const mailReports = feature({
  name: 'mail-reports',
  routes: [mailReportRoutes],
  owners: {
    '/api/mail/dmarc/:domainId': ({ db }, userId, { domainId }) => getOwnDomain(db, domainId!, userId)
  },
  jobs: { 'mail-reports.purge': { concurrency: 1, timeoutSeconds: 600, retries: 0, run: purgeReports } },
  schedules: [{ queue: 'mail-reports.purge', everySeconds: 3600 }]
})
