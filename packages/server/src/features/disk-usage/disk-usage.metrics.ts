import type { MetricSource } from '../metric-source.ts'
import { sumByKind } from './disk-usage.repository.ts'

export const diskUsageMetrics: MetricSource = {
  families: [
    {
      name: 'panel_disk_used_bytes',
      help: 'Disk usage of all accounts by kind, from the last measurement',
      labels: ['kind']
    }
  ],
  cacheSeconds: 60,
  async read({ db }) {
    const rows = await sumByKind(db)
    return rows.map(({ kind, bytes }) => ({ family: 'panel_disk_used_bytes', labels: { kind }, value: bytes }))
  }
}
