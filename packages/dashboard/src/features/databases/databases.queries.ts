import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

export interface DatabaseSearch {
  q?: string | undefined
  page?: number | undefined
}

export const databasesPerPage = 25

export const databasesQuery = ({ q, page = 1 }: DatabaseSearch) =>
  queryOptions({
    queryKey: ['databases', 'list', { q, page }],
    queryFn: () =>
      data(
        api.GET('/api/databases', { params: { query: { page, limit: databasesPerPage, ...(q && { search: q }) } } })
      ),
    placeholderData: (previous) => previous
  })

/** Those that a project is linked to, or `none` is yet; as many at once as the API gives. */
export const projectDatabasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['databases', 'list', { projectId }],
    queryFn: () => data(api.GET('/api/databases', { params: { query: { projectId, limit: 100 } } }))
  })

/** With `autoInjectEnv` the project gets the address as variables, with its next deployment. */
export const linkDatabase = (id: string, body: { projectId: string | null; autoInjectEnv: boolean }) =>
  data(api.PATCH('/api/databases/{id}', { params: { path: { id } }, body }))

/** With its password masked; null where there is none. */
export const maskedDatabaseQuery = (id: string) =>
  queryOptions({
    queryKey: ['databases', id],
    queryFn: () =>
      data(api.GET('/api/databases/{id}', { params: { path: { id }, query: { secrets: 'false' } } })).catch(
        (error: unknown) => {
          if (hasStatus(error, 404)) return null
          throw error
        }
      )
  })

/** With its password: audited. */
export const openDatabase = (id: string) => data(api.GET('/api/databases/{id}', { params: { path: { id } } }))
