import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus, type Schema } from '../../api/client.ts'

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

/** Null if the project has no status page. */
export const statusPageQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'status-page'],
    queryFn: () =>
      data(api.GET('/api/projects/{id}/status-page', { params: { path: { id } } })).catch((error: unknown) => {
        if (hasStatus(error, 404)) return null
        throw error
      })
  })

export const hostnamesQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', 'list', { projectId: id }],
    queryFn: async () => {
      const domains = await data(
        api.GET('/api/domains', { params: { query: { projectId: id, status: 'ACTIVE', limit: 50 } } })
      )
      return domains.map(({ hostname }) => hostname).filter((hostname) => !hostname.startsWith('*.'))
    }
  })

export const pauseCheck = (check: UptimeCheck, paused: boolean) =>
  data(
    api.PATCH('/api/projects/{id}/uptime-checks/{checkId}', {
      params: at(check.projectId, check.id),
      body: { paused }
    })
  )

export const runCheck = (check: UptimeCheck) =>
  data(api.POST('/api/projects/{id}/uptime-checks/{checkId}/run', { params: at(check.projectId, check.id) }))

export const deleteCheck = (check: UptimeCheck) =>
  data(api.DELETE('/api/projects/{id}/uptime-checks/{checkId}', { params: at(check.projectId, check.id) }))
