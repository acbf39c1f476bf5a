import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type ProjectProcess = Schema<'ProjectProcess'>

const everyMs = 5_000
const most = 100

export const processesKey = (id: string) => ['projects', id, 'processes']

/** Asked again, because memory and CPU change without an event. */
export const processesQuery = (id: string) =>
  queryOptions({
    queryKey: processesKey(id),
    queryFn: () =>
      data(api.GET('/api/projects/{id}/processes', { params: { path: { id }, query: { page: 1, limit: most } } })),
    refetchInterval: everyMs
  })

const at = (id: string, name: string) => ({ path: { id, name } })

export const createProcess = (id: string, body: Schema<'CreateProcess'>) =>
  data(api.POST('/api/projects/{id}/processes', { params: { path: { id } }, body }))

export const changeProcess = (id: string, name: string, body: Schema<'UpdateProcess'>) =>
  data(api.PATCH('/api/projects/{id}/processes/{name}', { params: at(id, name), body }))

export const restartProcess = (id: string, name: string) =>
  data(api.POST('/api/projects/{id}/processes/{name}/restart', { params: at(id, name) }))

export const deleteProcess = (id: string, name: string) =>
  data(api.DELETE('/api/projects/{id}/processes/{name}', { params: at(id, name) }))
