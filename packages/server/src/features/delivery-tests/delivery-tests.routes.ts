import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { CreateDeliveryTest, DeliveryTest } from '@panel/contract/delivery-tests'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { createDeliveryTest, readDeliveryTest } from './delivery-tests.service.ts'

const tags = ['Mail']
const config = { access: sessionAccess, admission: 'apart' } as const

export function deliveryTestRoutes(app: App, deps: Dependencies): void {
  app.post(
    '/api/mail/delivery-tests',
    {
      config,
      schema: {
        tags,
        operationId: 'createDeliveryTest',
        summary: 'Send a test message to check mail delivery',
        description:
          'Sent from one of your mailboxes. With `delivery-test@mail.<domain of a panel>` the result is complete: that panel checks signature, SPF, DMARC ' +
          'and encryption on receipt and replies by mail. For other addresses you see only whether their server accepts the message, and its response. ' +
          'Limited to 20 per hour.',
        body: CreateDeliveryTest,
        errors: ['NOT_FOUND', 'INVALID_TARGET', 'RATE_LIMITED', 'MAIL_UNAVAILABLE'],
        response: { 201: DeliveryTest }
      }
    },
    async (request, reply) => {
      const test = await createDeliveryTest(deps, request, sessionOf(request).userId, request.body)
      return reply.status(201).send(test)
    }
  )
  app.get(
    '/api/mail/delivery-tests/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'getDeliveryTest',
        summary: 'Show the result of a delivery test',
        description:
          'Poll every few seconds until the test is ANSWERED, DELIVERED (addresses that do not reply), BOUNCED or FAILED. Kept for a week.',
        params: z.object({ id: Id }),
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: DeliveryTest }
      }
    },
    async (request) => readDeliveryTest(deps, sessionOf(request).userId, request.params.id)
  )
}
