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
        summary: 'Send a message to see whether mail arrives',
        description:
          'From one of your mailboxes. To `delivery-test@mail.<domain of a panel>` it shows all: that panel looks at signature, SPF, DMARC and encryption as it gets the ' +
          'message, and answers by mail. Of any other address one learns whether its server takes the message, and its words. Twenty in an hour.',
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
        summary: 'What became of a message that tests delivery',
        description:
          'Ask every few seconds until it is ANSWERED, DELIVERED (of an address that does not answer), BOUNCED or FAILED. It is kept for a week.',
        params: z.object({ id: Id }),
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: DeliveryTest }
      }
    },
    async (request) => readDeliveryTest(deps, sessionOf(request).userId, request.params.id)
  )
}
