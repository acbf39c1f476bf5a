import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const authConfigQuery = queryOptions({
  queryKey: ['auth-config'],
  queryFn: () => data(api.GET('/api/auth/config'))
})
