import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Variable = Schema<'EnvVar'>

export const variablesKey = (id: string) => ['projects', id, 'variables']

export const variablesQuery = (id: string) =>
  queryOptions({
    queryKey: variablesKey(id),
    queryFn: () => data(api.GET('/api/projects/{id}/env', { params: { path: { id } } }))
  })

/** Audited and requires a confirmed password, so never cache it. */
export const revealVariable = async (id: string, key: string): Promise<string> =>
  (await data(api.GET('/api/projects/{id}/env/{key}/reveal', { params: { path: { id, key } } }))).value

export const exportVariables = async (id: string): Promise<string> =>
  (await data(api.GET('/api/projects/{id}/env/export', { params: { path: { id } } }))).content

export const deleteVariable = (id: string, key: string) =>
  data(api.DELETE('/api/projects/{id}/env/{key}', { params: { path: { id, key } } }))

/** True if the variable changed after the running deployment started. */
export const isWaiting = ({ updatedAt }: Variable, deployedAt: string | null): boolean =>
  deployedAt !== null && Date.parse(updatedAt) > Date.parse(deployedAt)
