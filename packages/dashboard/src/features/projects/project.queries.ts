import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

const at = (id: string) => ({ params: { path: { id } } })

export const projectQuery = (id: string) =>
  queryOptions({ queryKey: ['projects', id], queryFn: () => data(api.GET('/api/projects/{id}', at(id))) })

/** As a build would do it; slow, as the repository is looked at. */
export const detectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'detection'],
    staleTime: 5 * 60_000,
    queryFn: () => data(api.GET('/api/projects/{id}/detection', at(id)))
  })

export const gitQuery = (id: string) =>
  queryOptions({ queryKey: ['projects', id, 'git'], queryFn: () => data(api.GET('/api/projects/{id}/git', at(id))) })

/** Builds what the branch has now. */
export const build = (id: string) => data(api.POST('/api/projects/{id}/build', at(id)))

export const controlContainer = (id: string, action: 'start' | 'stop' | 'restart') =>
  data(api.POST('/api/projects/{id}/container/{action}', { params: { path: { id, action } } }))
