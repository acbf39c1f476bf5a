import { z } from 'zod'
import { feature } from '../feature.ts'
import { dropPasswordReset } from './password-resets.repository.ts'
import { passwordResetRoutes } from './password-reset.routes.ts'
import { sendPasswordReset } from './password-reset.service.ts'

const resetRequest = z.object({
  email: z.string(),
  ip: z.string().optional(),
  userAgent: z.string().optional(),
  invitation: z.boolean().optional()
})

declare module '../../worker/jobs.ts' {
  interface Queues {
    'accounts.password-reset': z.infer<typeof resetRequest>
  }
}

export const passwordReset = feature({
  name: 'password-reset',
  routes: [passwordResetRoutes],
  // Invalidate pending links.
  account: {
    credentialsChanged: dropPasswordReset,
    suspended: async (_deps, trx, userId) => dropPasswordReset(trx, userId),
    deleted: async (_deps, trx, userId) => dropPasswordReset(trx, userId)
  },
  jobs: {
    'accounts.password-reset': {
      concurrency: 2,
      timeoutSeconds: 120,
      retries: 5,
      data: resetRequest,
      run: sendPasswordReset
    }
  }
})
