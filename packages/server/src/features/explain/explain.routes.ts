import { ExplainQuery, Explanation } from '@panel/contract/explain'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { explainHost } from './explain.service.ts'

export function explainRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/system/explain',
    {
      config: { access: sessionAccess },
      schema: {
        tags: ['System'],
        operationId: 'explainHost',
        summary: 'Why a site does not answer',
        description:
          'Follows a visitor’s request: delegation, address, connection, TLS, route, container, response and log. Each step says what was ' +
          'seen and what to do. For hosts of your own domains and projects; an ADMIN may check every host of this panel, but sees the log ' +
          'of own projects only. Any other host is 404. Takes up to a minute and changes nothing.',
        querystring: ExplainQuery,
        errors: ['NOT_FOUND', 'CONFLICT'],
        response: { 200: Explanation }
      }
    },
    async (request) => explainHost(deps, sessionOf(request).userId, request.query.host)
  )
}
