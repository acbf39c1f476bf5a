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
