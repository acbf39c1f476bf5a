import { DeliveryLog, DeliveryQuery } from '@panel/contract/delivery-log'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole } from '../../http/access.ts'
import { searchDeliveryLog } from './delivery-log.service.ts'

export function deliveryLogRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/logs',
    {
      config: { access: requireRole('ADMIN'), admission: 'large', compressed: true },
      schema: {
        tags: ['Mail'],
        operationId: 'searchDeliveryLog',
        summary: 'List delivery attempts from the mail log, newest first',
        description:
          'One entry per recipient and delivery attempt, and one per message rejected at the SMTP stage. Searches the last 20,000 lines of the ' +
          'log as they are at the time of the request. Also works while the mail server is stopped.',
        querystring: DeliveryQuery,
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: DeliveryLog }
      }
    },
    async (request) => searchDeliveryLog(deps, request.query)
  )
}
