import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

const againMs = 3_000
const lines = 5_000

/** The end of what the container has written. */
export const containerLogQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'container-log'],
    queryFn: () => data(api.GET('/api/projects/{id}/logs', { params: { path: { id }, query: { tail: lines } } })),
    refetchInterval: againMs
  })
