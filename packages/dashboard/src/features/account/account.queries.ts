import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const entriesPerPage = 50

export const activityQuery = (page = 1) =>
  queryOptions({
    queryKey: ['activity', { page }],
    queryFn: () => data(api.GET('/api/audit/me', { params: { query: { page, limit: entriesPerPage } } })),
    placeholderData: (previous) => previous
  })
