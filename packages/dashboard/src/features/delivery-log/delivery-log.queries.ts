import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Delivery = Schema<'Delivery'>
export const deliveryStatuses = ['success', 'deferred', 'bounced', 'rejected'] as const satisfies readonly Delivery['status'][] // oxfmt-ignore

export interface LogSearch {
  q?: string | undefined
  status?: Delivery['status'] | undefined
  page?: number | undefined
}

export const deliveriesPerPage = 50

export const deliveriesQuery = ({ q, status, page = 1 }: LogSearch) =>
  queryOptions({
    queryKey: ['delivery-log', { q, status, page }],
    queryFn: () =>
      data(
        api.GET('/api/mail/logs', {
          params: {
            query: {
              page,
              limit: deliveriesPerPage,
              ...(q && (q.includes('@') ? { mailbox: q } : { domain: q })),
              ...(status && { status })
            }
          }
        })
      ),
    placeholderData: (previous) => previous
  })
