import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

/** Under the project key, because import events invalidate the project. */
export const importKey = (projectId: string) => ['projects', projectId, 'wordpress'] as const

const refetchMs = 5_000

/** Null if there was no import. */
export const latestImportQuery = (projectId: string) =>
  queryOptions({
    queryKey: importKey(projectId),
    // Polled, because live events report steps but not file counts.
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? refetchMs : false),
    queryFn: () =>
      data(api.GET('/api/projects/{id}/wordpress/import', { params: { path: { id: projectId } } })).catch(
        (error: unknown) => {
          if (hasStatus(error, 404)) return null
          throw error
        }
      )
  })

export const pageCacheQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...importKey(projectId), 'page-cache'],
    queryFn: () => data(api.GET('/api/projects/{id}/wordpress/page-cache', { params: { path: { id: projectId } } }))
  })

export const exportUrl = (projectId: string) => `/api/projects/${projectId}/wordpress/export`
export const importUrl = (projectId: string) => `/api/projects/${projectId}/wordpress/import`
