import type { z } from 'zod'
import { feature } from '../feature.ts'
import { deleteNotificationsOf } from './notifications.repository.ts'
import { notificationRoutes } from './notifications.routes.ts'
import { getOwnNotification } from './notifications.service.ts'
import { planJob, planNotification } from './plan.jobs.ts'
import { cleanUpNotifications } from './retention.jobs.ts'

declare module '../../jobs.ts' {
  interface Queues {
    'notifications.plan': z.infer<typeof planJob>
    'notifications.clean-up': object
  }
}

export const notifications = feature({
  name: 'notifications',
  routes: [notificationRoutes],
  owners: { '/api/notifications/:id': (deps, userId, { id }) => getOwnNotification(deps, id!, userId) },
  jobs: {
    'notifications.plan': { concurrency: 2, timeoutSeconds: 60, retries: 8, data: planJob, run: planNotification },
    'notifications.clean-up': { concurrency: 1, timeoutSeconds: 300, retries: 0, run: cleanUpNotifications }
  },
  schedules: [{ queue: 'notifications.clean-up', everySeconds: 3600 }],
  account: { deleted: (_deps, trx, userId) => deleteNotificationsOf(trx, userId) }
})
