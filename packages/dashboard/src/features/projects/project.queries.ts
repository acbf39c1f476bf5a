import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

const at = (id: string) => ({ params: { path: { id } } })

/** Without secrets, so that polling does not write audit log entries. */
const withoutSecrets = (id: string) => ({ params: { path: { id }, query: { secrets: 'false' } } }) as const

export const projectQuery = (id: string) =>
  queryOptions({ queryKey: ['projects', id], queryFn: () => data(api.GET('/api/projects/{id}', withoutSecrets(id))) })

/** Slow: reads the repository. */
export const detectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'detection'],
    staleTime: 5 * 60_000,
    queryFn: () => data(api.GET('/api/projects/{id}/detection', at(id)))
  })

export const gitQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'git'],
    queryFn: () => data(api.GET('/api/projects/{id}/git', withoutSecrets(id)))
  })

/** Audited on every call, so never cache it. Null if there is no secret. */
export const showWebhookSecret = async (id: string): Promise<string | null> =>
  (await data(api.GET('/api/projects/{id}/git', at(id)))).webhookSecret

export const rotateWebhookSecret = async (id: string): Promise<string> =>
  (await data(api.POST('/api/projects/{id}/git/webhook-secret/rotate', at(id)))).webhookSecret

export const imageUpdateQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'image-update'],
    queryFn: () => data(api.GET('/api/projects/{id}/image-update', at(id)))
  })

export const checkImage = (id: string) => data(api.POST('/api/projects/{id}/image-update', at(id)))

/** Builds and deploys the latest commit of the branch, or the uploaded folder of the deployment to repeat. */
export const build = (id: string, retryOf?: string) =>
  data(api.POST('/api/projects/{id}/build', { ...at(id), ...(retryOf !== undefined && { body: { retryOf } }) }))

export const controlContainer = (id: string, action: 'start' | 'stop' | 'restart') =>
  data(api.POST('/api/projects/{id}/container/{action}', { params: { path: { id, action } } }))
