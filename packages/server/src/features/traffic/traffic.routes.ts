import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { MetricRangeQuery } from '@panel/contract/monitoring'
import { Traffic } from '@panel/contract/traffic'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sessionAccess, sessionOf } from '../../http/access.ts'
import { readTraffic } from './traffic.service.ts'

export function trafficRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/projects/:id/traffic',
    {
      config: { access: sessionAccess, compressed: true },
      schema: {
        tags: ['Monitoring'],
        operationId: 'readTraffic',
        summary: 'Get requests, errors and response times of a project’s sites',
        description:
          'Requests to the hostnames of the project, counted by the route that the reverse proxy chose. One point per minute, per 15 minutes over 7d ' +
          'and per hour over 30d; intervals without requests have no point. Response times are measured to the first byte. A request counts when it ends, ' +
          'a WebSocket when it closes. Individual requests are not stored: no addresses, no paths.',
        params: z.object({ id: Id }),
        querystring: MetricRangeQuery,
        response: { 200: Traffic }
      }
    },
    async (request) => readTraffic(deps, sessionOf(request).userId, request.params.id, request.query.range)
  )
}
