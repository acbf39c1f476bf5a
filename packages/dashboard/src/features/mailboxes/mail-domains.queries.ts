import { queryOptions } from '@tanstack/react-query'
import { api, data, page as pageOf, type Schema } from '../../api/client.ts'

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
