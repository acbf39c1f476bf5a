import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type WebhookDelivery = Schema<'WebhookDelivery'>

export const deliveriesPerPage = 10

const at = (id: string) => ({ params: { path: { id } } })

export const deliveriesQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['projects', id, 'webhook-deliveries', { page }],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/webhook-deliveries', {
          params: { path: { id }, query: { page, limit: deliveriesPerPage } }
        })
      )
  })

export const replayDelivery = (id: string, deliveryId: string) =>
  data(api.POST('/api/projects/{id}/webhook-deliveries/{deliveryId}/replay', { params: { path: { id, deliveryId } } }))

export const deployHookQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'deploy-hook'],
    queryFn: () => data(api.GET('/api/projects/{id}/git/deploy-hook', at(id)))
  })

/** Shown once, so never cache it. */
export const createDeployHook = (id: string) => data(api.POST('/api/projects/{id}/git/deploy-hook', at(id)))

export const removeDeployHook = (id: string) => data(api.DELETE('/api/projects/{id}/git/deploy-hook', at(id)))

export const commitStatusQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'commit-status'],
    queryFn: () => data(api.GET('/api/projects/{id}/git/commit-status', at(id)))
  })

export const setCommitStatus = (id: string, body: Schema<'SetCommitStatus'>) =>
  data(api.PUT('/api/projects/{id}/git/commit-status', { ...at(id), body }))

export const removeCommitStatus = (id: string) => data(api.DELETE('/api/projects/{id}/git/commit-status', at(id)))
