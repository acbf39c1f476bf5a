import type { z } from 'zod'
import { feature } from '../feature.ts'
import { limitJob, notifyLimit } from './mail-limits.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'mail-limits.alert': z.infer<typeof limitJob>
  }
}

export const mailLimits = feature({
  name: 'mail-limits',
  jobs: {
    'mail-limits.alert': {
      concurrency: 1,
      timeoutSeconds: 120,
      retries: 8,
      data: limitJob,
      run: notifyLimit
    }
  }
})
