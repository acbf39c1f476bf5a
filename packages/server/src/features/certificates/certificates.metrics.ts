import type { MetricSource } from '../metric-source.ts'
import { countByStatus } from './certificates.repository.ts'
import { listServedExpiries } from './served.repository.ts'

// Limits the cardinality of the metric.
const maxSeries = 100

export const certificateMetrics: MetricSource = {
  families: [
    { name: 'panel_certificates', help: 'Certificates by status', labels: ['status'] },
    {
      name: 'panel_certificate_expiry_timestamp_seconds',
      help: 'Expiry of served certificates, limited to the 100 that expire first',
      labels: ['hostname']
    }
  ],
  cacheSeconds: 60,
  async read({ db }) {
    const states = await countByStatus(db)
    const expiries = await listServedExpiries(db, maxSeries)
    return [
      ...states.map(({ status, n }) => ({ family: 'panel_certificates', labels: { status }, value: n })),
      ...expiries.map(({ hostname, validTo }) => ({
        family: 'panel_certificate_expiry_timestamp_seconds',
        labels: { hostname },
        value: validTo.getTime() / 1000
      }))
    ]
  }
}
