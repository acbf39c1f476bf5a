import type { MetricSource } from '../metric-source.ts'
import { sumByKind } from './disk-usage.repository.ts'

export const diskUsageMetrics: MetricSource = {
  families: [
    {
      name: 'panel_disk_used_bytes',
      help: 'What all accounts have on the disk, as measured last, by kind',
      labels: ['kind']
    }
  ],
  cacheSeconds: 60,
  async read({ db }) {
    const rows = await sumByKind(db)
    return rows.map(({ kind, bytes }) => ({ family: 'panel_disk_used_bytes', labels: { kind }, value: bytes }))
  }
}
