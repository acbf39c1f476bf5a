import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** Retries reads after network or server errors, never writes. */
export function createQueryClient(): QueryClient {
  // A component is down, so the cached health is outdated.
  const onError = (error: Error) => {
    const isPartUnavailable = error instanceof ApiError && error.code?.endsWith('_UNAVAILABLE')
    if (isPartUnavailable) void client.invalidateQueries({ queryKey: ['health'] })
  }
  // Before the next paint: a box checked in the cache would flash unchecked.
  notifyManager.setScheduler(queueMicrotask)
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500)
      },
      // Requests may hold passwords and responses secrets: keep neither.
      // Offline, fail at once instead of running later unexpectedly.
      mutations: { gcTime: 0, networkMode: 'always' }
    }
  })
  return client
}
