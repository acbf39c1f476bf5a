import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const entriesPerPage = 50

/** What one did, and what was done to one's account. */
export const activityQuery = (page = 1) =>
  queryOptions({
    queryKey: ['activity', { page }],
    queryFn: () => data(api.GET('/api/audit/me', { params: { query: { page, limit: entriesPerPage } } })),
    placeholderData: (previous) => previous
  })
