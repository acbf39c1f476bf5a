import type { MetricSource } from '../metric-source.ts'
import { countJobs } from './jobs.repository.ts'

/** Excludes successful jobs, which are many. */
export const jobMetrics: MetricSource = {
  families: [{ name: 'panel_jobs', help: 'Waiting, running and failed jobs by queue', labels: ['queue', 'state'] }],
  cacheSeconds: 30,
  async read({ db }) {
    const rows = await countJobs(db)
    return rows.map(({ queue, state, n }) => ({ family: 'panel_jobs', labels: { queue, state }, value: n }))
  }
}
