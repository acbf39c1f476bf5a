import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus, type Schema } from '../../api/client.ts'
import type { ListOrder } from '../../routes/search.ts'

// Importing the contract’s list would add zod to this page.
export const databaseTypes = ['POSTGRESQL', 'MYSQL'] as const satisfies readonly Schema<'Database'>['type'][]

export interface DatabaseSearch {
  q?: string | undefined
  type?: (typeof databaseTypes)[number] | undefined
  order?: ListOrder | undefined
  page?: number | undefined
}

export const databasesPerPage = 25

export const databasesQuery = ({ q, type, order, page = 1 }: DatabaseSearch) =>
  queryOptions({
    queryKey: ['databases', 'list', { q, type, order, page }],
    queryFn: () =>
      data(
        api.GET('/api/databases', {
          params: {
            query: {
              page,
              limit: databasesPerPage,
              ...(q && { search: q }),
              ...(type && { type }),
              ...(order && { order })
            }
          }
        })
      ),
    placeholderData: (previous) => previous
  })

/** Databases of a project, or unlinked ones (`none`). The API returns at most 100. */
export const projectDatabasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['databases', 'list', { projectId }],
    queryFn: () => data(api.GET('/api/databases', { params: { query: { projectId, limit: 100 } } }))
  })

/** `autoInjectEnv` sets connection variables on the next deployment. */
export const linkDatabase = (id: string, body: { projectId: string | null; autoInjectEnv: boolean }) =>
  data(api.PATCH('/api/databases/{id}', { params: { path: { id } }, body }))

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

/** With password; recorded in the audit log. */
export const openDatabase = (id: string) => data(api.GET('/api/databases/{id}', { params: { path: { id } } }))
