import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Deployment = Schema<'Deployment'>

const openStatuses: readonly Deployment['status'][] = ['QUEUED', 'BUILDING', 'DEPLOYING']
export const isOpen = ({ status }: Pick<Deployment, 'status'>): boolean => openStatuses.includes(status)

const againMs = 3_000

export const deploymentsPerPage = 20

export const historyQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: ['projects', id, 'deployments', 'list', page],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/deployments', {
          params: { path: { id }, query: { page, limit: deploymentsPerPage, logs: 'false' } }
        })
      ),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => (state.data?.deployments.some(isOpen) ? againMs : false)
  })

export const latestDeploymentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'deployments', 'list', 'latest'],
    queryFn: () =>
      data(api.GET('/api/projects/{id}/deployments', { params: { path: { id }, query: { limit: 5, logs: 'false' } } }))
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

const lastLinesMs = 10_000
const lastLines = 1_000

/** The end of a log, shown first; the rest is read in chunks. Large, so it is cached briefly. */
export const lastLinesQuery = (id: string, deploymentId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'deployments', deploymentId, 'log'],
    queryFn: ({ signal }) => logPiece({ projectId: id, deploymentId }, { tail: lastLines }, signal),
    staleTime: lastLinesMs,
    gcTime: lastLinesMs,
    retry: false
  })

export interface LogPosition {
  projectId: string
  deploymentId: string
}

const logPiece = (
  { projectId: id, deploymentId }: LogPosition,
  query: { after: number } | { tail: number },
  signal: AbortSignal
) =>
  data(
    api.GET('/api/projects/{id}/deployments/{deploymentId}/log', {
      params: { path: { id, deploymentId }, query },
      signal
    })
  )

export const logPieceAfter = (position: LogPosition, after: number, signal: AbortSignal) =>
  logPiece(position, { after }, signal)
