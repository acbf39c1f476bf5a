import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { type Rates, ratesBetween } from './network-rate.ts'

export const metricRanges = ['1h', '24h', '7d', '30d'] as const
export type MetricRange = (typeof metricRanges)[number]

export const containerOrders = ['name', 'cpu', 'memory'] as const
export type ContainerOrder = (typeof containerOrders)[number]

const minuteMs = 60_000
const refetchEachMinute = { refetchInterval: minuteMs, placeholderData: <Data>(previous: Data | undefined) => previous }

export type ServerNow = Schema<'ServerMetrics'> & Rates
export interface ContainersNow {
  atMs: number
  containers: (Schema<'ContainerMetric'> & Rates)[]
}

export const serverNowKey = ['monitoring', 'server']
export const containersNowKey = ['monitoring', 'containers']

export function serverNow(before: ServerNow | undefined, metrics: Schema<'ServerMetrics'>): ServerNow {
  const seconds = before ? (Date.parse(metrics.timestamp) - Date.parse(before.timestamp)) / 1_000 : 0
  return { ...metrics, ...ratesBetween(before, metrics, seconds) }
}

export function containersNow(
  before: ContainersNow | undefined,
  metrics: readonly Schema<'ContainerMetric'>[],
  atMs = Date.now()
): ContainersNow {
  const known = new Map(before?.containers.map((each) => [each.containerId, each]))
  const seconds = before ? (atMs - before.atMs) / 1_000 : 0
  return {
    atMs,
    containers: metrics.map((metric) => ({
      ...metric,
      ...ratesBetween(known.get(metric.containerId), metric, seconds)
    }))
  }
}

export const serverNowQuery = queryOptions({
  queryKey: serverNowKey,
  queryFn: async ({ client }) =>
    serverNow(client.getQueryData<ServerNow>(serverNowKey), await data(api.GET('/api/monitoring/server')))
})

export const containersNowQuery = queryOptions({
  queryKey: containersNowKey,
  queryFn: async ({ client }) =>
    containersNow(
      client.getQueryData<ContainersNow>(containersNowKey),
      await data(api.GET('/api/monitoring/containers'))
    )
})

export const serverHistoryQuery = (range: MetricRange) =>
  queryOptions({
    queryKey: ['monitoring', 'history', range],
    queryFn: async () => ({
      range,
      requestedAtMs: Date.now(),
      points: (await data(api.GET('/api/monitoring/history', { params: { query: { range } } }))).map((point) => ({
        ...point,
        at: point.recorded_at
      }))
    }),
    ...refetchEachMinute
  })

/** Seconds covered by one data point. */
export const serverStepSeconds = { '1h': 60, '24h': 60, '7d': 600, '30d': 1_800 } as const
export const projectStepSeconds = { '1h': 60, '24h': 60, '7d': 900, '30d': 1_800 } as const

/** Of the site, or of a worker. */
export const projectMetricsQuery = (id: string, range: MetricRange, process?: string) =>
  queryOptions({
    queryKey: ['projects', id, 'metrics', range, process],
    queryFn: async () => ({
      range,
      requestedAtMs: Date.now(),
      points: (
        await data(
          api.GET('/api/projects/{id}/metrics', {
            params: { path: { id }, query: { range, ...(process && { process }) } }
          })
        )
      ).map((point) => ({ ...point, at: point.recordedAt }))
    }),
    ...refetchEachMinute
  })

export const trafficQuery = (id: string, range: MetricRange) =>
  queryOptions({
    queryKey: ['projects', id, 'traffic', range],
    queryFn: async () => ({
      requestedAtMs: Date.now(),
      ...(await data(api.GET('/api/projects/{id}/traffic', { params: { path: { id }, query: { range } } })))
    }),
    ...refetchEachMinute
  })
