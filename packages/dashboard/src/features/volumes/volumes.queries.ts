import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type ProjectVolume = Schema<'ProjectVolume'>

const everyMs = 5_000

export const volumesKey = (id: string) => ['projects', id, 'volumes']

/** Asked again, because use and mounts change without an event. */
export const volumesQuery = (id: string) =>
  queryOptions({
    queryKey: volumesKey(id),
    queryFn: () => data(api.GET('/api/projects/{id}/volumes', { params: { path: { id } } })),
    refetchInterval: everyMs
  })

const at = (id: string, name: string) => ({ path: { id, name } })

export const createVolume = (id: string, body: Schema<'CreateVolume'>) =>
  data(api.POST('/api/projects/{id}/volumes', { params: { path: { id } }, body }))

export const resizeVolume = (id: string, name: string, sizeMb: number) =>
  data(api.PATCH('/api/projects/{id}/volumes/{name}', { params: at(id, name), body: { sizeMb } }))

export const deleteVolume = (id: string, name: string) =>
  data(api.DELETE('/api/projects/{id}/volumes/{name}', { params: at(id, name), body: { name } }))
