import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

/** What this server runs, and whether each part of it answers. What is not installed is not in it. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  staleTime: 60_000,
  queryFn: () => data(api.GET('/api/health'))
})
