import { queryOptions } from '@tanstack/react-query'
import { api, data, hasStatus, page as pageOf, type Schema } from '../../api/client.ts'
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

/** Verified domains with a whole hostname. */
export const mailDomainsQuery = queryOptions({
  queryKey: ['domains', 'list', 'with mail'],
  queryFn: async () => {
    const all: Schema<'Domain'>[] = []
    for (let number = 1; ; number++) {
      const query = { page: number, limit: 100, status: 'ACTIVE' } as const
      const { items, total } = await pageOf(api.GET('/api/domains', { params: { query } }))
      all.push(...items)
      if (items.length === 0 || all.length >= total)
        return all
          .filter(({ hostname, pathPrefix }) => pathPrefix === null && !hostname.startsWith('*.'))
          .map(({ id, hostname }) => ({ id, hostname }))
          .sort((a, b) => a.hostname.localeCompare(b.hostname))
    }
  }
})

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

export const aliasesQuery = (search: MailSearch) =>
  queryOptions({
    queryKey: ['mailboxes', 'aliases', listed(search)],
    queryFn: () => data(api.GET('/api/mail/aliases', { params: { query: listed(search) } })),
    placeholderData: (previous) => previous
  })

export const domainAliasesQuery = (domainId: string) =>
  queryOptions({
    queryKey: ['mailboxes', 'aliases', domainId],
    queryFn: async () => {
      const all: Schema<'MailAlias'>[] = []
      for (let page = 1; ; page++) {
        const query = { page, limit: 100, domainId }
        const { aliases, pagination } = await data(api.GET('/api/mail/aliases', { params: { query } }))
        all.push(...aliases)
        if (page >= pagination.totalPages) return all
      }
    }
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

const statusAgainMs = 30_000

export const mailStatusQuery = queryOptions({
  queryKey: ['mail-status'],
  queryFn: () => data(api.GET('/api/mail/status')),
  refetchInterval: statusAgainMs
})

const deliveryAgainMs = 3_000

/** Polls while results are pending, which may take minutes. */
export const deliveryTestQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery-tests', id],
    queryFn: () => data(api.GET('/api/mail/delivery-tests/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) =>
      state.data && Object.values(state.data.checks).every(({ status }) => status !== 'pending')
        ? false
        : deliveryAgainMs
  })
