import type { MetricSample, MetricSource } from '../metric-source.ts'
import { histogramBoundsMs } from '../../time/response-times.policy.ts'
import { sumTotals } from './traffic-totals.repository.ts'

const labels = ['project_id', 'project'] as const
const counter = (name: string, help: string, more: readonly string[] = []) =>
  ({ name, help, type: 'counter', labels: [...labels, ...more] }) as const

/** Metrics of up to METRICS_SITES sites, the rest summed up as `other`. */
export const trafficMetrics: MetricSource = {
  families: [
    counter('panel_site_requests_total', 'Completed requests to sites'),
    counter('panel_site_errors_total', 'Requests to sites with a 4xx or 5xx response', ['class']),
    counter('panel_site_received_bytes_total', 'Bytes received from clients of sites, including request headers'),
    counter('panel_site_sent_bytes_total', 'Bytes sent to clients of sites, including response headers'),
    {
      name: 'panel_site_response_seconds',
      help: 'Time to first byte of sites',
      type: 'histogram',
      labels
    },
    {
      name: 'panel_site_requests_lost_total',
      help: 'Requests to sites that no other metric counts, because their log lines were dropped before they were read',
      type: 'counter',
      labels: []
    }
  ],
  cacheSeconds: 10,
  async read({ db, config }) {
    const rows = await sumTotals(db, config.METRICS_SITES)
    const lost = rows.reduce((sum, row) => sum + Number(row.lost), 0)
    return [...rows.flatMap(samplesOf), { family: 'panel_site_requests_lost_total', value: lost }]
  }
}

function samplesOf(row: Awaited<ReturnType<typeof sumTotals>>[number]): MetricSample[] {
  const site = { project_id: row.project_id ?? 'other', project: row.name ?? 'other' }
  const one = (family: string, value: string, more = {}): MetricSample => ({
    family,
    labels: { ...site, ...more },
    value: Number(value)
  })
  const family = 'panel_site_response_seconds'
  let sum = 0
  const buckets = row.histogram.map((count, i): MetricSample => {
    const bound = histogramBoundsMs[i]
    sum += Number(count)
    return {
      family,
      suffix: '_bucket',
      labels: { ...site, le: bound === undefined ? '+Inf' : bound / 1000 },
      value: sum
    }
  })
  return [
    one('panel_site_requests_total', row.requests),
    one('panel_site_errors_total', row.client_errors, { class: '4xx' }),
    one('panel_site_errors_total', row.server_errors, { class: '5xx' }),
    one('panel_site_received_bytes_total', row.bytes_in),
    one('panel_site_sent_bytes_total', row.bytes_out),
    ...buckets,
    { family, suffix: '_sum', labels: site, value: Number(row.milliseconds) / 1000 },
    { family, suffix: '_count', labels: site, value: sum }
  ]
}
