import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export interface ProjectSearch {
  q?: string | undefined
  page?: number | undefined
}

export const projectsPerPage = 25

/** A page of one's projects. The former page stays until the next is there. */
export const projectsQuery = ({ q, page = 1 }: ProjectSearch) =>
  queryOptions({
    queryKey: ['projects', 'list', { q, page }],
    queryFn: () =>
      data(api.GET('/api/projects', { params: { query: { page, limit: projectsPerPage, ...(q && { search: q }) } } })),
    placeholderData: (previous) => previous
  })

const namesPerPage = 100
const maxNamePages = 10

/** What one's projects are called, for where others are pointed at them: of at most 1,000. */
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
