import { z } from 'zod'
import { Figure } from '@panel/contract/figures'
import { MetricRangeQuery } from '@panel/contract/monitoring'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireRole } from '../../http/access.ts'
import { figureDays, figureMinutes } from './figures.policy.ts'
import { figureHistory } from './figures.service.ts'

export function figureRoutes(app: App, deps: Dependencies): void {
  app.get(
    '/api/monitoring/figures',
    {
      config: { access: requireRole('ADMIN') },
      schema: {
        tags: ['Monitoring'],
        operationId: 'listFigures',
        summary: 'Mail and databases over time: deliveries, the queue, connections',
        description:
          `Each ${figureMinutes} minutes the parts of the server are asked, and the answers kept ${figureDays} days. Over 7d a point is the mean of 10 minutes, ` +
          'over 30d of 30. What did not answer, or is not there, has no point.',
        querystring: MetricRangeQuery,
        response: { 200: z.array(Figure) }
      }
    },
    async (request) => figureHistory(deps, request.query.range)
  )
}
