import { queryOptions } from '@tanstack/react-query'
import { api, data, page, type Schema } from '../../api/client.ts'
import type { ListOrder } from '../../routes/search.ts'

export type DomainStatus = Schema<'Domain'>['status']
// Importing the contract’s list would add zod to this page.
export const domainStatuses = ['PENDING', 'ACTIVE', 'ERROR'] as const satisfies readonly DomainStatus[]

export interface DomainSearch {
  q?: string | undefined
  status?: DomainStatus | undefined
  order?: ListOrder | undefined
  page?: number | undefined
}

export const domainsPerPage = 25

export const domainsQuery = ({ q, status, order, page: number = 1 }: DomainSearch) =>
  queryOptions({
    queryKey: ['domains', 'list', { q, status, order, number }],
    queryFn: () =>
      page(
        api.GET('/api/domains', {
          params: {
            query: {
              page: number,
              limit: domainsPerPage,
              ...(q && { search: q }),
              ...(status && { status }),
              ...(order && { order })
            }
          }
        })
      ),
    placeholderData: (previous) => previous
  })

export const routesPerPage = 100

export const routesQuery = ({
  q,
  projectId,
  page: number = 1
}: Pick<DomainSearch, 'q' | 'page'> & { projectId?: string }) =>
  queryOptions({
    queryKey: ['domains', 'list', 'routes', { q, projectId, number }],
    queryFn: () =>
      page(
        api.GET('/api/domains', {
          params: {
            query: { page: number, limit: routesPerPage, ...(q && { search: q }), ...(projectId && { projectId }) }
          }
        })
      ),
    placeholderData: (previous) => previous
  })

export const pointDomain = (id: string, projectId: string | null) =>
  data(api.PATCH('/api/domains/{id}', { params: { path: { id } }, body: { projectId } }))

const verifyAgainMs = 10_000

/** Polls until verified. Not below the domain’s key: reading an unverified domain would trigger a new check. */
export const verificationQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain-verification', id],
    queryFn: () => data(api.POST('/api/domains/{id}/verify', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.verified ? false : verifyAgainMs),
    retry: false,
    gcTime: 0
  })

export const subdomainsQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', 'list', 'below', id],
    queryFn: () => page(api.GET('/api/domains/{id}/subdomains', { params: { path: { id }, query: { limit: 100 } } }))
  })

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', id],
    queryFn: () => data(api.GET('/api/domains/{id}', { params: { path: { id } } }))
  })
