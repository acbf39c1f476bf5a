import type { MetricSource } from '../feature.ts'
import { countByEngine } from './databases.repository.ts'

export const databaseMetrics: MetricSource = {
  families: [{ name: 'panel_databases', help: 'Databases by engine and status', labels: ['engine', 'status'] }],
  cacheSeconds: 10,
  async read({ db }) {
    const rows = await countByEngine(db)
    return rows.map(({ engine, status, n }) => ({ family: 'panel_databases', labels: { engine, status }, value: n }))
  }
}
