import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

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
