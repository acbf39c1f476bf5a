import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'
import type { ProjectGroup } from './project-state.ts'

/** The first one is the API's default. */
export const projectOrders = ['created', 'name', 'deployed'] as const

export interface ProjectSearch {
  q?: string | undefined
  state?: ProjectGroup | undefined
  order?: (typeof projectOrders)[number] | undefined
  page?: number | undefined
}

export const projectsPerPage = 25

const states: Record<Exclude<ProjectGroup, 'all'>, Schema<'ProjectState'>> = {
  running: 'RUNNING',
  deploying: 'DEPLOYING',
  attention: 'ATTENTION',
  idle: 'IDLE',
  sleeping: 'SLEEPING'
}

export const projectsQuery = ({ q, state = 'all', order, page = 1 }: ProjectSearch) =>
  queryOptions({
    queryKey: ['projects', 'list', { q, state, order, page }],
    queryFn: () => {
      const filter = {
        ...(q && { search: q }),
        ...(state !== 'all' && { state: states[state] }),
        ...(order && { order })
      }
      return data(api.GET('/api/projects', { params: { query: { page, limit: projectsPerPage, ...filter } } }))
    },
    placeholderData: (previous) => previous
  })

const namesPerPage = 100
const maxNamePages = 10

/** Ids and names of at most 1,000 projects, for selects. */
export const projectNamesQuery = queryOptions({
  queryKey: ['projects', 'list', 'names'],
  queryFn: async () => {
    const names: { id: string; name: string }[] = []
    for (let page = 1; page <= maxNamePages; page++) {
      const { projects, pagination } = await data(
        api.GET('/api/projects', { params: { query: { page, limit: namesPerPage } } })
      )
      names.push(...projects.map(({ id, name }) => ({ id, name })))
      if (page >= pagination.totalPages) break
    }
    return names
  }
})
