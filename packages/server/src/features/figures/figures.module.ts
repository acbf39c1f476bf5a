import { feature } from '../feature.ts'
import { figureMetrics } from './figures.metrics.ts'
import { figureMinutes } from './figures.policy.ts'
import { figureRoutes } from './figures.routes.ts'
import { recordFigures } from './figures.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'figures.record': object
  }
}

export const figures = feature({
  name: 'figures',
  routes: [figureRoutes],
  metrics: [figureMetrics],
  jobs: {
    // No retries: the sample would be of the wrong time.
    'figures.record': { concurrency: 1, timeoutSeconds: 60, retries: 0, run: (deps) => recordFigures(deps) }
  },
  schedules: [{ queue: 'figures.record', everySeconds: figureMinutes * 60 }]
})
