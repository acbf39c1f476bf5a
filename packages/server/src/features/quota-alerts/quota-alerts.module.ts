import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { feature } from '../feature.ts'
import { quotasNearlyUsed } from './quota-alerts.attention.ts'
import { checkQuotas, recheckNotifiedAccounts } from './quota-alerts.jobs.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'quotas.check': { userId: string }
    'quotas.recheck': object
  }
}

export const quotaAlerts = feature({
  name: 'quota-alerts',
  attention: [quotasNearlyUsed],
  jobs: {
    'quotas.check': {
      concurrency: 1,
      timeoutSeconds: 60,
      retries: 3,
      data: z.object({ userId: Id }),
      run: (deps, { userId }) => checkQuotas(deps, userId)
    },
    'quotas.recheck': { concurrency: 1, timeoutSeconds: 600, retries: 0, run: recheckNotifiedAccounts }
  },
  schedules: [{ queue: 'quotas.recheck', everySeconds: 3600 }]
})
