import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const sessionsPerPage = 20

/** Polled, because no live event announces new sessions. */
export const sessionsQuery = (page = 1) =>
  queryOptions({
    queryKey: ['sessions', { page }],
    queryFn: () => data(api.GET('/api/auth/sessions', { params: { query: { page, limit: sessionsPerPage } } })),
    placeholderData: (previous) => previous,
    refetchInterval: 10_000
  })
