import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

/** Each check sends requests, so only a new visit or the button repeats it. */
export const explanationQuery = (host: string) =>
  queryOptions({
    queryKey: ['explain', host],
    queryFn: () => data(api.GET('/api/system/explain', { params: { query: { host } } })),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false
  })
