import type { MetricSource } from '../metric-source.ts'
import { countByStatus } from './certificates.repository.ts'
import { listServedEnds } from './served.repository.ts'

// Those that end first: others have no need to be seen.
const shown = 100

export const certificateMetrics: MetricSource = {
  families: [
    { name: 'panel_certificates', help: 'Certificates by status', labels: ['status'] },
    {
      name: 'panel_certificate_expiry_timestamp_seconds',
      help: 'When a certificate ends that is served, of the hundred that end first',
      labels: ['hostname']
    }
  ],
  cacheSeconds: 60,
  async read({ db }) {
    const states = await countByStatus(db)
    const ends = await listServedEnds(db, shown)
    return [
      ...states.map(({ status, n }) => ({ family: 'panel_certificates', labels: { status }, value: n })),
      ...ends.map(({ hostname, validTo }) => ({
        family: 'panel_certificate_expiry_timestamp_seconds',
        labels: { hostname },
        value: validTo.getTime() / 1000
      }))
    ]
  }
}
