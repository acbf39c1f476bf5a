import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

const againMs = 3_000
export const tails = [500, 5_000, 10_000] as const
export const standardTail = 5_000
/** Limits memory for a log followed for days. */
export const keptLines = 200_000

/** Of the site, or of an instance of a worker. */
export interface LogSource {
  process?: string | undefined
  instance?: number | undefined
}

export const containerLogQuery = (id: string, tail: number, { process, instance }: LogSource = {}) =>
  queryOptions({
    queryKey: ['projects', id, 'container-log', tail, process, instance],
    queryFn: () =>
      data(
        api.GET('/api/projects/{id}/logs', {
          params: { path: { id }, query: { tail, ...(process && { process, ...(instance && { instance }) }) } }
        })
      ),
    refetchInterval: againMs
  })
