import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type QueueMessage = Schema<'QueueMessage'>
export type QueueFlag = QueueMessage['flagged']
export const queueFlags = ['held', 'active', 'none'] as const satisfies readonly QueueFlag[]

export interface QueueSearch {
  q?: string | undefined
  flagged?: QueueFlag | undefined
  page?: number | undefined
}

export const messagesPerPage = 25
/** Maximum of the API. */
export const mostListed = 1_000

const queueAgainMs = 10_000

export const queueQuery = ({ q, flagged, page = 1 }: QueueSearch) =>
  queryOptions({
    queryKey: ['mail-queue', { q, flagged, page }],
    queryFn: () =>
      data(
        api.GET('/api/mail/queue', {
          params: { query: { page, limit: messagesPerPage, ...(q && { search: q }), ...(flagged && { flagged }) } }
        })
      ),
    placeholderData: (previous) => previous,
    // The queue has no live events.
    refetchInterval: queueAgainMs
  })
