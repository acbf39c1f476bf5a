import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus } from '../../api/client.ts'

export const clientSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['mailboxes', id, 'client-settings'],
    queryFn: () => data(api.GET('/api/mailboxes/{id}/client-settings', { params: { path: { id } } }))
  })

export const webmailQuery = (id: string) =>
  queryOptions({
    queryKey: ['mailboxes', id, 'webmail'],
    staleTime: 'static',
    queryFn: () =>
      data(api.GET('/api/mailboxes/{id}/webmail', { params: { path: { id } } })).catch((error: unknown) => {
        if (hasStatus(error, 503)) return null
        throw error
      })
  })

export const webmailActivityQuery = queryOptions({
  queryKey: ['mailboxes', 'webmail activity'],
  staleTime: 60_000,
  queryFn: () => data(api.GET('/api/mail/webmail/activity'))
})
