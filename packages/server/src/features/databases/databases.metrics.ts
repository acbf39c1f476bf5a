import { databaseTypes } from '@panel/contract/databases'
import type { FigureSource, MetricSource } from '../metric-source.ts'
import { countByEngine } from './databases.repository.ts'

export const databaseMetrics: MetricSource = {
  families: [{ name: 'panel_databases', help: 'Databases by engine and status', labels: ['engine', 'status'] }],
  cacheSeconds: 10,
  async read({ db }) {
    const rows = await countByEngine(db)
    return rows.map(({ engine, status, n }) => ({ family: 'panel_databases', labels: { engine, status }, value: n }))
  }
}

const family = 'panel_database_connections'

/** Omits engines that do not respond; they may not be installed. */
export const databaseFigures: FigureSource = {
  families: [{ name: family, help: 'Open connections to a database engine', labels: ['engine'] }],
  async read({ databaseServers }) {
    const counts = await Promise.allSettled(databaseTypes.map((engine) => databaseServers[engine].countConnections()))
    return counts.flatMap((count, n) =>
      count.status === 'rejected' ? [] : [{ family, labels: { engine: databaseTypes[n]! }, value: count.value }]
    )
  }
}
