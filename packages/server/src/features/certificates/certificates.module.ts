import type { z } from 'zod'
import { feature } from '../feature.ts'
import { certificatesNeedingAttention } from './certificates.attention.ts'
import { alertJob, notifyExpiring, notifyFailure } from './alerts.service.ts'
import { domainHooks } from './certificates.hooks.ts'
import { isAnyOrderOpen } from './certificates.repository.ts'
import { certificateMetrics } from './certificates.metrics.ts'
import { certificateRoutes } from './certificates.routes.ts'
import { issueJob, issueNext } from './issue-next.jobs.ts'
import { evaluateExpiries, recoverOrders, renewDue, sweepOrders } from './renewal.jobs.ts'
import { reconcileCertificates } from './served-certificates.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'certificates.renew': z.infer<typeof issueJob>
    'certificates.issue': z.infer<typeof issueJob>
    'certificates.alert': z.infer<typeof alertJob>
    'certificates.due': object
    'certificates.expiry': object
  }
}

const order = { timeoutSeconds: 900, retries: 10, data: issueJob }
const scheduled = { concurrency: 1, timeoutSeconds: 600, retries: 0 }

export const certificates = feature({
  name: 'certificates',
  attention: [certificatesNeedingAttention],
  metrics: [certificateMetrics],
  routes: [certificateRoutes],
  domain: domainHooks,
  // Separate queues: a flood of first orders must not delay renewals. Each job holds a database connection.
  jobs: {
    'certificates.renew': {
      ...order,
      concurrency: 2,
      run: (deps, { userId }, { stopped }) => issueNext(deps, { queue: 'certificates.renew', userId, stopped })
    },
    'certificates.issue': {
      ...order,
      concurrency: 3,
      run: (deps, { userId }, { stopped }) => issueNext(deps, { queue: 'certificates.issue', userId, stopped })
    },
    'certificates.alert': {
      concurrency: 1,
      timeoutSeconds: 120,
      retries: 8,
      data: alertJob,
      run: (deps, { certificateId }) => notifyFailure(deps, certificateId)
    },
    'certificates.due': {
      ...scheduled,
      async run(deps) {
        await renewDue(deps)
        await recoverOrders(deps)
      }
    },
    'certificates.expiry': {
      ...scheduled,
      async run(deps) {
        await evaluateExpiries(deps)
        await notifyExpiring(deps)
        await sweepOrders(deps)
      }
    }
  },
  schedules: ({ RENEWAL_SECONDS }) => [
    { queue: 'certificates.due', everySeconds: RENEWAL_SECONDS, isNeeded: isAnyOrderOpen },
    { queue: 'certificates.expiry', everySeconds: 3600 }
  ],
  reconcile: [
    {
      name: 'certificates',
      on: { tables: ['certificates', 'domains'] },
      run: (deps) => reconcileCertificates(deps, false)
    },
    // Only in full rounds: compares with what the proxy itself reports instead of this process's memory.
    { name: 'audit of certificates', on: {}, run: (deps) => reconcileCertificates(deps, true) }
  ]
})
