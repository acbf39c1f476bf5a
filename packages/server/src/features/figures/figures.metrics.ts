import type { MetricSource } from '../metric-source.ts'
import { figureMinutes } from './figures.policy.ts'
import { latestFigures } from './figures.repository.ts'
import { figureFamilies } from './figures.service.ts'

/** The latest sample, as long as it is at most two intervals old. */
export const figureMetrics: MetricSource = {
  families: figureFamilies,
  cacheSeconds: 15,
  async read({ db, nodeId, now }) {
    const points = await latestFigures(db, nodeId, new Date(now().getTime() - 2 * figureMinutes * 60_000))
    return points.map(({ name, labels, value }) => ({ family: name, labels, value }))
  }
}
