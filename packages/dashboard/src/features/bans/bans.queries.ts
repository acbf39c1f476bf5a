import type { BanReason } from '@panel/contract/bans'
import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Ban = Schema<'Ban'>
type AllowedNetwork = Schema<'AllowedNetwork'>

export interface BanSearch {
  q?: string | undefined
  reason?: string | undefined
  page?: number | undefined
}

export const bansPerPage = 50

export const bansQuery = ({ q, reason, page = 1 }: BanSearch) =>
  queryOptions({
    queryKey: ['firewall', 'bans', 'list', { q, reason, page }],
    queryFn: () => {
      // The URL may hold an unknown reason; the server reports it.
      const filter = { ...(q && { search: q }), ...(reason && { reason: reason as BanReason }) }
      return data(api.GET('/api/firewall/bans', { params: { query: { ...filter, page, limit: bansPerPage } } }))
    },
    placeholderData: (previous) => previous
  })

export const allowListQuery = queryOptions({
  queryKey: ['firewall', 'bans', 'allow-list'],
  queryFn: () => data(api.GET('/api/firewall/allow-list'))
})

export const ban = (body: Schema<'CreateBan'>) => data(api.POST('/api/firewall/bans', { body }))

export const unban = ({ id }: Pick<Ban, 'id'>) =>
  data(api.DELETE('/api/firewall/bans/{id}', { params: { path: { id } } }))

export const allow = (body: Schema<'AllowNetwork'>) => data(api.POST('/api/firewall/allow-list', { body }))

export const disallow = ({ id }: Pick<AllowedNetwork, 'id'>) =>
  data(api.DELETE('/api/firewall/allow-list/{id}', { params: { path: { id } } }))
