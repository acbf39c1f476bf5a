import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** Reads are tried again where the network or the server failed, writes never by themselves. */
export function createQueryClient(): QueryClient {
  // A part of the server does not answer: what the page knows of its health is old.
  const onError = (error: Error) => {
    const isPartUnavailable = error instanceof ApiError && error.code?.endsWith('_UNAVAILABLE')
    if (isPartUnavailable) void client.invalidateQueries({ queryKey: ['health'] })
  }
  // Before the next picture: a box that is ticked in the cache would be drawn unticked once.
  notifyManager.setScheduler(queueMicrotask)
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500)
      },
      // What was sent may be a password, and what came a secret: neither outlives the form.
      // Without a network it fails and says so: later it might be done when nobody expects it.
      mutations: { gcTime: 0, networkMode: 'always' }
    }
  })
  return client
}
