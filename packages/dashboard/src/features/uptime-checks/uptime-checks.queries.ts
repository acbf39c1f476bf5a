import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type UptimeCheck = Schema<'UptimeCheck'>
export const uptimeRanges = ['24h', '7d', '30d', '90d'] as const
export type UptimeRange = (typeof uptimeRanges)[number]

// Live events announce state changes only, so results are polled.
const refetchMs = 20_000
const keep = <Data>(previous: Data | undefined) => previous
const at = (id: string, checkId: string) => ({ path: { id, checkId } })

export const uptimeChecksKey = (id: string) => ['projects', id, 'uptime-checks']
export const checksPerPage = 20
export const incidentsPerPage = 20

export const uptimeChecksQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: [...uptimeChecksKey(id), 'list', page],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/uptime-checks', { params: { path: { id }, query: { page, limit: checksPerPage } } })
      ),
    refetchInterval: refetchMs,
    placeholderData: keep
  })

export const uptimeCheckQuery = (id: string, checkId: string) =>
  queryOptions({
    queryKey: [...uptimeChecksKey(id), checkId],
    queryFn: () => data(api.GET('/api/projects/{id}/uptime-checks/{checkId}', { params: at(id, checkId) })),
    refetchInterval: refetchMs
  })

export const uptimeResultsQuery = (id: string, checkId: string, range: UptimeRange) =>
  queryOptions({
    queryKey: [...uptimeChecksKey(id), checkId, 'results', range],
    queryFn: async () => ({
      requestedAtMs: Date.now(),
      ...(await data(
        api.GET('/api/projects/{id}/uptime-checks/{checkId}/results', {
          params: { ...at(id, checkId), query: { range } }
        })
      ))
    }),
    placeholderData: keep
  })

export const incidentsQuery = (id: string, checkId: string, page: number) =>
  queryOptions({
    queryKey: [...uptimeChecksKey(id), checkId, 'incidents', page],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/uptime-checks/{checkId}/incidents', {
          params: { ...at(id, checkId), query: { page, limit: incidentsPerPage } }
        })
      ),
    placeholderData: keep
  })
