import type { z } from 'zod'
import { feature } from '../feature.ts'
import { deleteChannelsOf } from './channels.repository.ts'
import { channelRoutes } from './channels.routes.ts'
import { getOwnChannel } from './channels.service.ts'
import { deliver, deliverJob } from './deliver.jobs.ts'
import { deleteSubjectsOf, isAnySettling } from './deliveries.repository.ts'
import { deleteNotificationsOf } from './notifications.repository.ts'
import { notificationRoutes } from './notifications.routes.ts'
import { getOwnNotification } from './notifications.service.ts'
import { planJob, planNotification, settleSubjects } from './plan.jobs.ts'
import { cleanUpNotifications } from './retention.jobs.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'notifications.plan': z.infer<typeof planJob>
    'notifications.deliver': z.infer<typeof deliverJob>
    'notifications.settle': object
    'notifications.clean-up': object
  }
}

const scheduled = { concurrency: 1, timeoutSeconds: 300, retries: 0 }

export const notifications = feature({
  name: 'notifications',
  routes: [notificationRoutes, channelRoutes],
  owners: {
    '/api/notifications/:id': (deps, userId, { id }) => getOwnNotification(deps, id!, userId),
    '/api/notifications/channels/:id': (deps, userId, { id }) => getOwnChannel(deps, id!, userId)
  },
  jobs: {
    'notifications.plan': { concurrency: 2, timeoutSeconds: 60, retries: 8, data: planJob, run: planNotification },
    // Delivery attempts are counted in the row; these retries cover database outages.
    'notifications.deliver': { concurrency: 4, timeoutSeconds: 60, retries: 8, data: deliverJob, run: deliver },
    'notifications.settle': { ...scheduled, run: settleSubjects },
    'notifications.clean-up': { ...scheduled, run: cleanUpNotifications }
  },
  schedules: [
    { queue: 'notifications.settle', everySeconds: 60, isNeeded: isAnySettling },
    { queue: 'notifications.clean-up', everySeconds: 3600 }
  ],
  account: {
    async deleted(_deps, trx, userId) {
      await deleteNotificationsOf(trx, userId)
      await deleteChannelsOf(trx, userId)
      await deleteSubjectsOf(trx, userId)
    }
  }
})
