import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

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

/** Those that a project is linked to, as many at once as the API gives. */
export const projectDatabasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['databases', 'list', { projectId }],
    queryFn: () => data(api.GET('/api/databases', { params: { query: { projectId, limit: 100 } } }))
  })

/** Those that no project is linked to yet. */
export const unlinkedDatabasesQuery = queryOptions({
  queryKey: ['databases', 'list', 'unlinked'],
  queryFn: async () => {
    const { databases } = await data(api.GET('/api/databases', { params: { query: { limit: 100 } } }))
    return databases.filter(({ projectId }) => projectId === null)
  }
})

/** With `autoInjectEnv` the project gets the address as variables, with its next deployment. */
export const linkDatabase = (id: string, body: { projectId: string | null; autoInjectEnv: boolean }) =>
  data(api.PATCH('/api/databases/{id}', { params: { path: { id } }, body }))

/** One of the list, with its password masked: to ask for the database itself shows the password, which is audited. */
export const maskedDatabaseQuery = (id: string) =>
  queryOptions({
    queryKey: ['databases', id],
    queryFn: async () => {
      for (let page = 1; ; page++) {
        const { databases, pagination } = await data(
          api.GET('/api/databases', { params: { query: { page, limit: 50 } } })
        )
        const found = databases.find((database) => database.id === id)
        if (found || page >= pagination.totalPages) return found ?? null
      }
    }
  })

export const openDatabase = (id: string) => data(api.GET('/api/databases/{id}', { params: { path: { id } } }))
