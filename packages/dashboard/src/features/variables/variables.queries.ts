import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Variable = Schema<'EnvVar'>
export type EnvChanges = Schema<'EnvChanges'>

/** What variables belong to. */
export interface Holder {
  kind: 'project' | 'group'
  id: string
}

const paths = { project: '/api/projects/{id}/env', group: '/api/env-groups/{id}/env' } as const
const at = ({ kind, id }: Holder) => ({ path: paths[kind], params: { path: { id } } })

export const variablesKey = ({ kind, id }: Holder) => [kind === 'project' ? 'projects' : 'env-groups', id, 'variables']

export const variablesQuery = (holder: Holder) =>
  queryOptions({
    queryKey: variablesKey(holder),
    queryFn: () => data(api.GET(at(holder).path, { params: at(holder).params }))
  })

/** Audited and requires a confirmed password, so never cache it. */
export const revealVariable = async ({ kind, id }: Holder, key: string): Promise<string> =>
  (await data(api.GET(`${paths[kind]}/{key}/reveal`, { params: { path: { id, key } } }))).value

export const exportVariables = async ({ kind, id }: Holder): Promise<string> =>
  (await data(api.GET(`${paths[kind]}/export`, { params: { path: { id } } }))).content

export const deleteVariable = ({ kind, id }: Holder, key: string) =>
  data(api.DELETE(`${paths[kind]}/{key}`, { params: { path: { id, key } } }))

export const saveVariable = ({ kind, id }: Holder, variable: Schema<'EnvEntry'>) =>
  data(api.POST(paths[kind], { params: { path: { id } }, body: { variables: [variable] } }))

export const previewVariable = ({ kind, id }: Holder, variable: Schema<'EnvEntry'>) =>
  data(api.POST(`${paths[kind]}/preview`, { params: { path: { id } }, body: { variables: [variable] } }))

export const importVariables = ({ kind, id }: Holder, body: Schema<'ImportEnv'>) =>
  data(api.POST(`${paths[kind]}/import`, { params: { path: { id } }, body }))

/** True if the variable changed after the running deployment started. */
export const isWaiting = ({ updatedAt }: Variable, deployedAt: string | null): boolean =>
  deployedAt !== null && Date.parse(updatedAt) > Date.parse(deployedAt)

export const groupsKey = ['env-groups', 'list']

export const groupsQuery = queryOptions({ queryKey: groupsKey, queryFn: () => data(api.GET('/api/env-groups')) })

export const createGroup = (body: Schema<'CreateEnvGroup'>) => data(api.POST('/api/env-groups', { body }))

export const deleteGroup = (id: string) => data(api.DELETE('/api/env-groups/{id}', { params: { path: { id } } }))

export const projectGroupsKey = (id: string) => ['projects', id, 'env-groups']

export const projectGroupsQuery = (id: string) =>
  queryOptions({
    queryKey: projectGroupsKey(id),
    queryFn: () => data(api.GET('/api/projects/{id}/env-groups', { params: { path: { id } } }))
  })

export const setProjectGroups = (id: string, groupIds: string[]) =>
  data(api.PUT('/api/projects/{id}/env-groups', { params: { path: { id } }, body: { groupIds } }))
