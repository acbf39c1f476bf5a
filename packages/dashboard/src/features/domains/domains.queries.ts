import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus, page, type Schema } from '../../api/client.ts'

export type DomainStatus = Schema<'Domain'>['status']
// The contract's own list would bring zod to a page that checks nothing.
export const domainStatuses = ['PENDING', 'ACTIVE', 'ERROR'] as const satisfies readonly DomainStatus[]

export interface DomainSearch {
  q?: string | undefined
  status?: DomainStatus | undefined
  page?: number | undefined
}

export const domainsPerPage = 25

export const domainsQuery = ({ q, status, page: number = 1 }: DomainSearch) =>
  queryOptions({
    queryKey: ['domains', 'list', { q, status, number }],
    queryFn: () =>
      page(
        api.GET('/api/domains', {
          params: { query: { page: number, limit: domainsPerPage, ...(q && { search: q }), ...(status && { status }) } }
        })
      ),
    placeholderData: (previous) => previous
  })

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', id],
    queryFn: () => data(api.GET('/api/domains/{id}', { params: { path: { id } } }))
  })

const pendingAgainMs = 3_000

/** Null where there is none. */
export const certificateQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', id, 'certificate'],
    queryFn: () =>
      data(api.GET('/api/domains/{id}/ssl', { params: { path: { id } } })).catch((error: unknown) => {
        if (hasStatus(error, 404)) return null
        throw error
      }),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? pendingAgainMs : false)
  })
