import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

/** Below its project, which each step of an import makes stale. */
export const importKey = (projectId: string) => ['projects', projectId, 'wordpress'] as const

const againMs = 5_000

/** The newest; null where there was none. */
export const latestImportQuery = (projectId: string) =>
  queryOptions({
    queryKey: importKey(projectId),
    // The channel tells of steps, not of files.
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? againMs : false),
    queryFn: () =>
      data(api.GET('/api/projects/{id}/wordpress/import', { params: { path: { id: projectId } } })).catch(
        (error: unknown) => {
          if (hasStatus(error, 404)) return null
          throw error
        }
      )
  })

export const exportUrl = (projectId: string) => `/api/projects/${projectId}/wordpress/export`
export const importUrl = (projectId: string) => `/api/projects/${projectId}/wordpress/import`
