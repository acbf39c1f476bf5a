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
        summary: 'Who sends as a domain, as receivers report it: by day and address, and whether it passed',
        description:
          'From DMARC aggregate reports (RFC 7489), which receivers send to the address in the generated DMARC record once a day, and which are read as they ' +
          'arrive. Reports are not authenticated. Each is counted once, on the day on which it begins, and kept for MAIL_REPORTS_KEEP_DAYS.',
        params,
        querystring: DmarcQuery,
        response: { 200: DmarcSummary }
      }
    },
    async (request) => readDmarcSummary(deps, sessionOf(request).userId, request.params.domainId, request.query)
  )
}
