import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

const at = (id: string) => ({ params: { path: { id } } })

/** What is asked for again and again has no secret in it, and writes nothing into the audit log. */
const withoutSecrets = (id: string) => ({ params: { path: { id }, query: { secrets: 'false' } } }) as const

export const projectQuery = (id: string) =>
  queryOptions({ queryKey: ['projects', id], queryFn: () => data(api.GET('/api/projects/{id}', withoutSecrets(id))) })

/** As a build would do it; slow, as the repository is looked at. */
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

/** Audited; for the one who asks, and for no cache. Null where there is none yet. */
export const showWebhookSecret = async (id: string): Promise<string | null> =>
  (await data(api.GET('/api/projects/{id}/git', at(id)))).webhookSecret

export const rotateWebhookSecret = async (id: string): Promise<string> =>
  (await data(api.POST('/api/projects/{id}/git/webhook-secret/rotate', at(id)))).webhookSecret

/** Builds what the branch has now. */
export const build = (id: string) => data(api.POST('/api/projects/{id}/build', at(id)))

export const controlContainer = (id: string, action: 'start' | 'stop' | 'restart') =>
  data(api.POST('/api/projects/{id}/container/{action}', { params: { path: { id, action } } }))
