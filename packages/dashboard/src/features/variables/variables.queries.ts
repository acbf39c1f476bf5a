import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Variable = Schema<'EnvVar'>

export const variablesKey = (id: string) => ['projects', id, 'variables']

export const variablesQuery = (id: string) =>
  queryOptions({
    queryKey: variablesKey(id),
    queryFn: () => data(api.GET('/api/projects/{id}/env', { params: { path: { id } } }))
  })

/** Audited, and after the password alone; for the row that asks, and for no cache. */
export const revealVariable = async (id: string, key: string): Promise<string> =>
  (await data(api.GET('/api/projects/{id}/env/{key}/reveal', { params: { path: { id, key } } }))).value

export const exportVariables = async (id: string): Promise<string> =>
  (await data(api.GET('/api/projects/{id}/env/export', { params: { path: { id } } }))).content

export const deleteVariable = (id: string, key: string) =>
  data(api.DELETE('/api/projects/{id}/env/{key}', { params: { path: { id, key } } }))

/** Whether what runs has been started before it: it holds with the next deployment. */
export const isWaiting = ({ updatedAt }: Variable, deployedAt: string | null): boolean =>
  deployedAt !== null && Date.parse(updatedAt) > Date.parse(deployedAt)
