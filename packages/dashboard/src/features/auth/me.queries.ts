import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  // Another user may have signed in in another tab.
  refetchOnWindowFocus: 'always',
  queryFn: () =>
    data(api.GET('/api/auth/me')).catch((error: unknown) => {
      if (hasStatus(error, 401)) return null
      throw error
    })
})
