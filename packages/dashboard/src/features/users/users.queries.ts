import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Account = Schema<'User'>
export type ListedAccount = Schema<'ListedUser'>
export type Role = Account['role']
// Not imported from the contract, which would load zod on pages without forms.
export const roles = ['ADMIN', 'RESELLER', 'USER'] as const satisfies readonly Role[]
export const accountStates = ['active', 'suspended'] as const
/** The first is the default, which the URL omits. */
export const accountOrders = ['disk', 'created'] as const

export interface UserSearch {
  q?: string | undefined
  role?: Role | undefined
  state?: (typeof accountStates)[number] | undefined
  below?: string | undefined
  order?: (typeof accountOrders)[number] | undefined
  page?: number | undefined
}

export const usersPerPage = 25

export const usersQuery = ({ q, role, state, below, order = 'disk', page = 1 }: UserSearch) =>
  queryOptions({
    queryKey: ['users', 'list', { q, role, state, below, order, page }],
    queryFn: () =>
      data(
        api.GET('/api/users', {
          params: {
            query: {
              page,
              limit: usersPerPage,
              order,
              ...(q && { search: q }),
              ...(role && { role }),
              ...(below && { below }),
              ...(state && { suspended: String(state === 'suspended') })
            }
          }
        })
      ),
    placeholderData: (previous) => previous
  })

const path = (id: string) => ({ params: { path: { id } } })

export const userQuery = (id: string) =>
  queryOptions({ queryKey: ['users', id], queryFn: () => data(api.GET('/api/users/{id}', path(id))) })

export const usageQuery = (id: string) =>
  queryOptions({ queryKey: ['users', id, 'usage'], queryFn: () => data(api.GET('/api/users/{id}/usage', path(id))) })

export const diskQuery = (id: string) =>
  queryOptions({ queryKey: ['users', id, 'disk'], queryFn: () => data(api.GET('/api/users/{id}/disk', path(id))) })

export const diskHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'disk-history'],
    queryFn: async () => ({
      requestedAtMs: Date.now(),
      days: await data(api.GET('/api/users/{id}/disk-usage/history', { params: { path: { id }, query: { days: 90 } } }))
    })
  })

/** False for administrators: they manage all accounts on the Users page. */
export const hasCustomers = ({ role, permissions }: Pick<Account, 'role' | 'permissions'>): boolean =>
  role === 'RESELLER' || (role === 'USER' && permissions.includes('canCreateSubAccounts'))
