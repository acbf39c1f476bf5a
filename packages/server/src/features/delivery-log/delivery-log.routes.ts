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
        summary: 'What became of messages, as the mail server has written it, newest first',
        description:
          'Each recipient at each try, and what was refused before it was taken. Of the log the last 20,000 lines are looked at: pages are of what ' +
          'stands there at the moment. It is there also while the mail server is not.',
        querystring: DeliveryQuery,
        errors: ['MAIL_UNAVAILABLE'],
        response: { 200: DeliveryLog }
      }
    },
    async (request) => searchDeliveryLog(deps, request.query)
  )
}
