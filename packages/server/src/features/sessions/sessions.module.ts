import { feature } from '../feature.ts'
import { dropSessionsExpiredBefore } from './sessions.repository.ts'
import { requireOwnSession } from './sessions.service.ts'
import { sessionRoutes } from './sessions.routes.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'sessions.sweep': object
  }
}

const keepExpiredMs = 90 * 24 * 3600 * 1000

export const sessions = feature({
  name: 'sessions',
  routes: [sessionRoutes],
  owners: { '/api/auth/sessions/:id': requireOwnSession },
  jobs: {
    'sessions.sweep': {
      concurrency: 1,
      timeoutSeconds: 600,
      retries: 0,
      run: (deps) => dropSessionsExpiredBefore(deps.db, new Date(deps.now().getTime() - keepExpiredMs))
    }
  },
  schedules: [{ queue: 'sessions.sweep', everySeconds: 3600 }],
  health: [
    {
      name: 'sessionStore',
      ping: (deps) => deps.sessions.ping(),
      remedy: { code: 'CHECK_SESSION_STORE' }
    }
  ]
})
