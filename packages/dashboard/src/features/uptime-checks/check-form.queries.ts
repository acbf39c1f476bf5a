import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const hostnamesQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', 'list', { projectId: id }],
    queryFn: async () => {
      const domains = await data(
        api.GET('/api/domains', { params: { query: { projectId: id, status: 'ACTIVE', limit: 50 } } })
      )
      return domains.map(({ hostname }) => hostname).filter((hostname) => !hostname.startsWith('*.'))
    }
  })
