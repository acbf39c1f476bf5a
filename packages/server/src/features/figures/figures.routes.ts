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
        summary: 'List mail and database metrics over time',
        description:
          `Sampled every ${figureMinutes} minutes and kept for ${figureDays} days. A point is the mean of 10 minutes for 7d and of 30 minutes ` +
          'for 30d. There is no point while a component is unavailable or not installed.',
        querystring: MetricRangeQuery,
        response: { 200: z.array(Figure) }
      }
    },
    async (request) => figureHistory(deps, request.query.range)
  )
}
