import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

/** Who is signed in; null where nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  // In another tab somebody else may have signed in.
  refetchOnWindowFocus: 'always',
  queryFn: () =>
    data(api.GET('/api/auth/me')).catch((error: unknown) => {
      if (hasStatus(error, 401)) return null
      throw error
    })
})
