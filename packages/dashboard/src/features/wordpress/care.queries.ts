import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type SiteState = Schema<'WordpressState'>
export type Component = Schema<'WordpressComponent'>
export type Task = Schema<'WordpressTask'>

export type Staging = Schema<'WordpressStaging'>

const refetchMs = 2_000

export const stateKey = (id: string) => ['projects', id, 'wordpress-state'] as const
export const tasksKey = (id: string) => ['projects', id, 'wordpress-tasks'] as const

/** Runs the site's code, so it is not polled. */
export const siteStateQuery = (id: string) =>
  queryOptions({
    queryKey: stateKey(id),
    queryFn: () => data(api.GET('/api/projects/{id}/wordpress', { params: { path: { id } } }))
  })

export const tasksQuery = (id: string) =>
  queryOptions({
    queryKey: tasksKey(id),
    refetchInterval: ({ state }) => (state.data?.tasks[0]?.status === 'RUNNING' ? refetchMs : false),
    queryFn: () => data(api.GET('/api/projects/{id}/wordpress/tasks', { params: { path: { id } } }))
  })

export const startUpdates = (id: string, components?: Pick<Component, 'kind' | 'id'>[]) =>
  data(
    api.POST('/api/projects/{id}/wordpress/updates', {
      params: { path: { id } },
      body: components === undefined ? {} : { components: components.map((each) => ({ kind: each.kind, id: each.id })) }
    })
  )

export const startUndo = ({ id, projectId }: Pick<Task, 'id' | 'projectId'>) =>
  data(
    api.POST('/api/projects/{id}/wordpress/tasks/{taskId}/undo', { params: { path: { id: projectId, taskId: id } } })
  )

export const startReplacement = (id: string, body: { search: string; replace: string; dryRun: boolean }) =>
  data(api.POST('/api/projects/{id}/wordpress/replacements', { params: { path: { id } }, body }))

export const changeSettings = (id: string, body: Schema<'WordpressSettings'>) =>
  data(api.PUT('/api/projects/{id}/wordpress/settings', { params: { path: { id } }, body }))

export const signIn = (id: string, login?: string) =>
  data(
    api.POST('/api/projects/{id}/wordpress/sign-in', {
      params: { path: { id } },
      body: login === undefined ? {} : { login }
    })
  )

export const resetPassword = (id: string, login: string) =>
  data(api.POST('/api/projects/{id}/wordpress/users/{login}/password', { params: { path: { id, login } } }))

export const listCoreChanges = (id: string) =>
  data(api.GET('/api/projects/{id}/wordpress/core-changes', { params: { path: { id } } }))

export const readDebugLog = (id: string) =>
  data(api.GET('/api/projects/{id}/wordpress/debug-log', { params: { path: { id } } }))

export const stagingKey = (id: string) => ['projects', id, 'wordpress-staging'] as const

export const stagingQuery = (id: string) =>
  queryOptions({
    queryKey: stagingKey(id),
    queryFn: () => data(api.GET('/api/projects/{id}/wordpress/staging', { params: { path: { id } } }))
  })

export const createStaging = (id: string) =>
  data(api.POST('/api/projects/{id}/wordpress/staging', { params: { path: { id } }, body: {} }))

export const startCopy = (id: string, body: Schema<'WordpressCopy'>) =>
  data(api.POST('/api/projects/{id}/wordpress/copies', { params: { path: { id } }, body }))
