import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { DmarcQuery, DmarcSummary } from '@panel/contract/mail-reports'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { readDmarcSummary } from './mail-reports.service.ts'

const params = z.object({ domainId: Id.meta({ description: 'The domain.' }) })

export function mailReportRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/mail/dmarc/:domainId',
    {
      config: { access: sessionAccess },
      schema: {
        tags: ['Mail'],
        operationId: 'readDmarcReports',
        summary: 'List the sending sources of a domain from DMARC reports, by day and address',
        description:
          'From DMARC aggregate reports (RFC 7489), which receivers send daily to the address in the generated DMARC record. Reports are parsed on ' +
            'arrival. They are not authenticated: anyone can send one. Each report counts once, on its first day, and is kept for MAIL_REPORTS_KEEP_DAYS.',
        querystring: DmarcQuery,
        response: { 200: DmarcSummary }
      }
    },
    async (request) => readDmarcSummary(deps, sessionOf(request).userId, request.params.domainId, request.query)
  )
}
