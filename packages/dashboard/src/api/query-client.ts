import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** Reads are tried again where the network or the server failed, writes never by themselves. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500)
      },
      // What was sent may be a password, and what came a secret: neither outlives the form.
      mutations: { gcTime: 0 }
    }
  })
