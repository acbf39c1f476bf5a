import { feature } from '../feature.ts'
import { deployHookCallRoutes, deployHookRoutes } from './deploy-hook.routes.ts'
import { dropDeliveriesBefore } from './push-deliveries.repository.ts'
import { pushReceiverRoutes } from './push-receiver.routes.ts'
import { dropWebhookDeliveriesBefore } from './webhook-deliveries.repository.ts'
import { webhookDeliveryRoutes } from './webhook-deliveries.routes.ts'
import { getOwnDelivery } from './webhook-deliveries.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'pushes.sweep': object
  }
}

const keepDeliveriesMs = 30 * 24 * 3600 * 1000

export const pushes = feature({
  name: 'pushes',
  routes: [pushReceiverRoutes, webhookDeliveryRoutes, deployHookRoutes, deployHookCallRoutes],
  owners: {
    '/api/projects/:id/webhook-deliveries/:deliveryId': ({ db }, userId, { id, deliveryId }) =>
      getOwnDelivery({ db }, userId, id!, deliveryId!)
  },
  jobs: {
    // After this, a repeated delivery triggers a new deployment.
    'pushes.sweep': {
      concurrency: 1,
      timeoutSeconds: 600,
      retries: 0,
      async run(deps) {
        const before = new Date(deps.now().getTime() - keepDeliveriesMs)
        await dropDeliveriesBefore(deps.db, before)
        await dropWebhookDeliveriesBefore(deps.db, before)
      }
    }
  },
  schedules: [{ queue: 'pushes.sweep', everySeconds: 3600 }]
})
