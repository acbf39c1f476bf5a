import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export const notificationsPerPage = 25
export const deliveriesPerPage = 25
export const shows = ['all', 'unread'] as const

export interface NotificationSearch {
  show?: (typeof shows)[number] | undefined
  page?: number | undefined
}

export const latestQuery = queryOptions({
  queryKey: ['notifications', 'latest'],
  staleTime: 60_000,
  queryFn: () => data(api.GET('/api/notifications', { params: { query: { limit: 8 } } }))
})

export const notificationsQuery = ({ show, page = 1 }: NotificationSearch) =>
  queryOptions({
    queryKey: ['notifications', 'list', { show, page }],
    queryFn: () =>
      data(
        api.GET('/api/notifications', {
          params: { query: { page, limit: notificationsPerPage, ...(show === 'unread' && { unread: 'true' }) } }
        })
      ),
    placeholderData: (previous) => previous
  })

export const channelsQuery = queryOptions({
  queryKey: ['notifications', 'channels'],
  queryFn: async () => {
    const { channels } = await data(api.GET('/api/notifications/channels'))
    return channels.toSorted((one, other) => Number(other.type === 'EMAIL') - Number(one.type === 'EMAIL'))
  }
})

export const preferencesQuery = queryOptions({
  queryKey: ['notifications', 'preferences'],
  queryFn: () => data(api.GET('/api/notifications/preferences'))
})

/** Polls while a delivery is waiting. */
export const deliveriesQuery = (page = 1) =>
  queryOptions({
    queryKey: ['notifications', 'deliveries', { page }],
    queryFn: () =>
      data(api.GET('/api/notifications/deliveries', { params: { query: { page, limit: deliveriesPerPage } } })),
    placeholderData: (previous) => previous,
    refetchInterval: 10_000
  })
