import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import { useAfterFirstPicture } from '../../ui/use-after-first-picture.ts'

export type OverviewItem = Schema<'OverviewItem'>
export type OverviewDeployment = Schema<'OverviewDeployment'>

/** The overview shows nearly everything, so every live event invalidates keys that start with `overview`. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => data(api.GET('/api/overview'))
})

export const usageQuery = queryOptions({
  queryKey: ['overview', 'usage'],
  queryFn: () => data(api.GET('/api/users/me/usage'))
})

/** Usage and limit per resource, for pages that create one. */
export const useResources = (): Schema<'UsageSummary'>['resources'] | undefined =>
  useQuery({ ...usageQuery, enabled: useAfterFirstPicture() }).data?.resources

export const diskQuery = queryOptions({
  queryKey: ['overview', 'disk'],
  queryFn: () => data(api.GET('/api/users/me/disk'))
})
