import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export const mailAuthKey = (domainId: string) => ['domains', domainId, 'mail']

export const mailDomainQuery = (domainId: string, hostname: string) =>
  queryOptions({
    queryKey: [...mailAuthKey(domainId), 'state'],
    queryFn: async () => {
      for (let page = 1; ; page++) {
        const query = { page, limit: 100, search: hostname }
        const { domains, pagination } = await data(api.GET('/api/mail/domains', { params: { query } }))
        const found = domains.find((domain) => domain.domainId === domainId)
        if (found || page >= pagination.totalPages) return found ?? null
      }
    }
  })

export const dkimKeysQuery = (domainId: string) =>
  queryOptions({
    queryKey: [...mailAuthKey(domainId), 'keys'],
    queryFn: () =>
      data(api.GET('/api/mail/dkim/{domainId}', { params: { path: { domainId }, query: { page: 1, limit: 20 } } }))
  })

export const mtaStsQuery = (domainId: string) =>
  queryOptions({
    queryKey: [...mailAuthKey(domainId), 'mta-sts'],
    queryFn: () => data(api.GET('/api/mail/auth/{domainId}/mta-sts', { params: { path: { domainId } } }))
  })

export const spamQuery = (domainId: string) =>
  queryOptions({
    queryKey: [...mailAuthKey(domainId), 'spam'],
    queryFn: () => data(api.GET('/api/mail/spam/{domainId}', { params: { path: { domainId } } }))
  })

export interface ReportSearch {
  result?: 'pass' | 'fail' | undefined
  page?: number | undefined
}

export const reportsPerPage = 25

export const reportsQuery = (domainId: string, { result, page = 1 }: ReportSearch) =>
  queryOptions({
    queryKey: [...mailAuthKey(domainId), 'reports', { result, page }],
    queryFn: () =>
      data(
        api.GET('/api/mail/dmarc/{domainId}', {
          params: { path: { domainId }, query: { page, limit: reportsPerPage, ...(result && { result }) } }
        })
      ),
    placeholderData: (previous) => previous
  })

export type MailDomain = Schema<'MailDomain'>
