import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const tokensPerPage = 25

export const tokensQuery = (page = 1) =>
  queryOptions({
    queryKey: ['api-tokens', { page }],
    queryFn: () => data(api.GET('/api/auth/tokens', { params: { query: { page, limit: tokensPerPage } } })),
    placeholderData: (previous) => previous
  })
