import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type OverviewItem = Schema<'OverviewItem'>
export type OverviewDeployment = Schema<'OverviewDeployment'>

/** Every event makes what begins with this stale: there is little that it does not show. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => data(api.GET('/api/overview'))
})

export const usageQuery = queryOptions({
  queryKey: ['overview', 'usage'],
  queryFn: () => data(api.GET('/api/users/me/usage'))
})

export const diskQuery = queryOptions({
  queryKey: ['overview', 'disk'],
  queryFn: () => data(api.GET('/api/users/me/disk'))
})
