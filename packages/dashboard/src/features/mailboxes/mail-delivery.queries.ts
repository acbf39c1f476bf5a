import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

const statusAgainMs = 30_000

export const mailStatusQuery = queryOptions({
  queryKey: ['mail-status'],
  queryFn: () => data(api.GET('/api/mail/status')),
  refetchInterval: statusAgainMs
})

const deliveryAgainMs = 3_000

/** Polls while results are pending, which may take minutes. */
export const deliveryTestQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery-tests', id],
    queryFn: () => data(api.GET('/api/mail/delivery-tests/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) =>
      state.data && Object.values(state.data.checks).every(({ status }) => status !== 'pending')
        ? false
        : deliveryAgainMs
  })
