import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Deployment = Schema<'Deployment'>

/** Queued, or somebody works on it. */
const openStatuses: readonly Deployment['status'][] = ['QUEUED', 'BUILDING', 'DEPLOYING']
export const isOpen = ({ status }: Pick<Deployment, 'status'>): boolean => openStatuses.includes(status)

const againMs = 3_000

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'deployments'],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/deployments', { params: { path: { id }, query: { limit: 20, logs: 'false' } } })
      ),
    refetchInterval: ({ state }) => (state.data?.deployments.some(isOpen) ? againMs : false)
  })

export const deploymentQuery = (id: string, deploymentId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'deployments', deploymentId],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/deployments/{deploymentId}', {
          params: { path: { id, deploymentId }, query: { logs: 'false' } }
        })
      ),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? againMs : false)
  })

/** Commits that are there stay what they are; asked once, and again only by hand. */
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

export const operate = (id: string, deploymentId: string, operation: 'cancel' | 'rollback') =>
  data(
    api.POST(`/api/projects/{id}/deployments/{deploymentId}/${operation}`, { params: { path: { id, deploymentId } } })
  )
