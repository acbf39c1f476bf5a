import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

/** The commits of a deployment never change; refetched only on request. */
export const changesQuery = (id: string, deploymentId: string) =>
  queryOptions({
    queryKey: ['deployment-changes', id, deploymentId],
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/projects/{id}/deployments/{deploymentId}/changes', {
          params: { path: { id, deploymentId } },
          signal
        })
      ),
    staleTime: 'static',
    retry: false
  })
