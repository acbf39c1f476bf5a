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
        summary: 'How many requests a site had, how many failed, and how fast they were answered',
        description:
          'All that came in over the host names of the project, counted by the route that the reverse proxy chose, whatever a request says of itself. ' +
          'A point for each minute, over 7d for 15 minutes and over 30d for an hour; where there was no request there is no point. A response time lasts until the first byte of the site’s answer; a ' +
          'request counts when it has ended, a WebSocket thus at its end. Nothing is kept of a single request: no address, no path.',
        params: z.object({ id: Id }),
        querystring: MetricRangeQuery,
        response: { 200: Traffic }
      }
    },
    async (request) => readTraffic(deps, sessionOf(request).userId, request.params.id, request.query.range)
  )
}
