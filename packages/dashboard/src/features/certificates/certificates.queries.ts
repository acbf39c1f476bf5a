import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

const pendingAgainMs = 3_000

export const certificateAlertsQuery = queryOptions({
  queryKey: ['domains', 'list', 'certificate-alerts'],
  queryFn: () => data(api.GET('/api/domains/ssl/alerts'))
})

export const certificateQuery = (domainId: string) =>
  queryOptions({
    queryKey: ['domains', domainId, 'certificate'],
    queryFn: () =>
      data(api.GET('/api/domains/{id}/ssl', { params: { path: { id: domainId } } })).catch((error: unknown) => {
        if (hasStatus(error, 404)) return null
        throw error
      }),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? pendingAgainMs : false)
  })
