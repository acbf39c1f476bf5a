import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { Deployment } from '@panel/contract/deployments'
import { WebhookDeliveryList, WebhookDeliveryQuery } from '@panel/contract/webhook-deliveries'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { listOwnDeliveries, replayDelivery } from './webhook-deliveries.service.ts'

const tags = ['Git']

export function webhookDeliveryRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/webhook-deliveries',
    {
      config: { access: sessionAccess },
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'List the webhook deliveries of a project, newest first',
        description:
          'What Git providers and the deploy hook sent, with the verdict and its reason. The latest 200 are kept, for 30 days. Requests with a wrong signature are only counted.',
        params: z.object({ id: Id }),
        querystring: WebhookDeliveryQuery,
        response: { 200: WebhookDeliveryList }
      }
    },
    async (request) => listOwnDeliveries(deps, sessionOf(request).userId, request.params.id, request.query)
  )
  app.post(
    '/api/projects/:id/webhook-deliveries/:deliveryId/replay',
    {
      config: { access: sessionAccess, scope: 'deploy' },
      schema: {
        tags,
        operationId: 'replayWebhookDelivery',
        summary: 'Deploy the commit of a webhook delivery; audited',
        description:
          'Queues the commit whatever the rules for automatic deployment say. Fails with CONFLICT unless the delivery is `replayable`.',
        params: z.object({ id: Id, deliveryId: Id }),
        errors: ['ACCOUNT_SUSPENDED', 'CONFLICT', 'GIT_NOT_CONNECTED', 'DEPLOYMENT_IN_PROGRESS'],
        response: { 202: Deployment }
      }
    },
    async (request, reply) => {
      const { id, deliveryId } = request.params
      return reply.code(202).send(await replayDelivery(deps, request, sessionOf(request).userId, id, deliveryId))
    }
  )
}
