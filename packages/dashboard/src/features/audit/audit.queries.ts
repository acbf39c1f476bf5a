import type { AuditAction } from '@panel/contract/audit'
import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Entry = Schema<'AuditEntry'>

export interface AuditSearch {
  action?: string | undefined
  actor?: string | undefined
  target?: string | undefined
  from?: string | undefined
  to?: string | undefined
  page?: number | undefined
  d?: number | undefined
}

export const entriesPerPage = 50

const filterOf = ({ action, actor, target, from, to }: AuditSearch) => ({
  // The URL may hold an unknown action; the server reports it.
  ...(action && { action: action as AuditAction }),
  ...(actor && { actorId: actor }),
  ...(target && { targetId: target }),
  ...(from && { from }),
  ...(to && { to })
})

export const auditQuery = ({ page = 1, d: _open, ...filter }: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', 'list', { ...filter, page }],
    queryFn: async () => {
      const query = { ...filterOf(filter), page, limit: entriesPerPage }
      // Its other response type is CSV.
      return (await data(api.GET('/api/audit', { params: { query } }))) as Schema<'AuditList'>
    },
    placeholderData: (previous) => previous
  })

export const csvAddress = (search: AuditSearch): string =>
  `/api/audit?${new URLSearchParams({ ...filterOf(search), format: 'csv' }).toString()}`

/** Verifies some thousands of entries: those after `from`, or the latest. */
export const verifyAudit = (after?: number) =>
  data(api.GET('/api/audit/verify', { params: { query: after === undefined ? {} : { after } } }))

export const chainQuery = queryOptions({ queryKey: ['audit', 'chain'], queryFn: () => verifyAudit() })
