import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus, type Schema } from '../../api/client.ts'
import type { ListOrder } from '../../routes/search.ts'

export interface MailSearch {
  q?: string | undefined
  domain?: string | undefined
  order?: ListOrder | undefined
  page?: number | undefined
}

export const mailPerPage = 25

export const mailOrders = ['name', 'created'] as const satisfies readonly ListOrder[]

const listed = ({ q, domain, order, page = 1 }: MailSearch) => ({
  page,
  limit: mailPerPage,
  ...(q && { search: q }),
  ...(domain && { domainId: domain }),
  ...(order && { order })
})

export const mailboxesQuery = (search: MailSearch) =>
  queryOptions({
    queryKey: ['mailboxes', 'list', listed(search)],
    queryFn: () => data(api.GET('/api/mailboxes', { params: { query: listed(search) } })),
    placeholderData: (previous) => previous
  })

export const mailboxQuery = (id: string) =>
  queryOptions({
    queryKey: ['mailboxes', id],
    queryFn: () => data(api.GET('/api/mailboxes/{id}', { params: { path: { id } } }))
  })

export const aliasesQuery = (search: MailSearch) =>
  queryOptions({
    queryKey: ['mailboxes', 'aliases', listed(search)],
    queryFn: () => data(api.GET('/api/mail/aliases', { params: { query: listed(search) } })),
    placeholderData: (previous) => previous
  })

export const deletedQuery = (page = 1) =>
  queryOptions({
    queryKey: ['mailboxes', 'deleted', page],
    queryFn: () => data(api.GET('/api/mail/deleted-mailboxes', { params: { query: { page, limit: mailPerPage } } })),
    placeholderData: (previous) => previous
  })

export const replyQuery = (id: string) =>
  queryOptions({
    queryKey: ['mailboxes', id, 'reply'],
    queryFn: () =>
      data(api.GET('/api/mailboxes/{id}/autoreply', { params: { path: { id } } })).catch((error: unknown) => {
        if (hasStatus(error, 404)) return null
        throw error
      })
  })

const importAgainMs = 2_000
export const importsPerPage = 10

export const isImporting = ({ status }: Schema<'MailboxImport'>) => status === 'QUEUED' || status === 'RUNNING'

export const importsQuery = (id: string, page = 1) =>
  queryOptions({
    queryKey: ['mailboxes', id, 'imports', page],
    queryFn: () =>
      data(
        api.GET('/api/mailboxes/{id}/imports', { params: { path: { id }, query: { page, limit: importsPerPage } } })
      ),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => (state.data?.imports.some(isImporting) ? importAgainMs : false)
  })
