import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useAfterFirstPicture } from '../../ui/use-after-first-picture.ts'

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

/** For where it counts when somebody makes another one: what one has of each thing, and how many it may be. */
export const useResources = (): Schema<'UsageSummary'>['resources'] | undefined =>
  useQuery({ ...usageQuery, enabled: useAfterFirstPicture() }).data?.resources

export const diskQuery = queryOptions({
  queryKey: ['overview', 'disk'],
  queryFn: () => data(api.GET('/api/users/me/disk'))
})
