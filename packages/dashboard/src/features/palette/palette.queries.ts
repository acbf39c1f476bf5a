import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import type { FoundType } from './command.ts'

export const searchQuery = (q: string, types: readonly FoundType[]) =>
  queryOptions({
    queryKey: ['search', q, types.join()],
    queryFn: ({ signal }) =>
      data(api.GET('/api/search', { params: { query: { q, types: types.join(), limit: 30 } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false
  })
