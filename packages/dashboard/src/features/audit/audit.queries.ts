import type { AuditAction } from '@panel/contract/audit'
import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Entry = Schema<'AuditEntry'>

export interface AuditSearch {
  action?: string | undefined
  /** Ids. */
  actor?: string | undefined
  target?: string | undefined
  /** Times, as ISO 8601 has them. */
  from?: string | undefined
  to?: string | undefined
  page?: number | undefined
  /** The entry that is open. */
  d?: number | undefined
}

export const entriesPerPage = 50

const filterOf = ({ action, actor, target, from, to }: AuditSearch) => ({
  // What stands in an address may be no action: the server says so.
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
      // The other thing that this address answers with is a file.
      return (await data(api.GET('/api/audit', { params: { query } }))) as Schema<'AuditList'>
    },
    placeholderData: (previous) => previous
  })

/** Of all that the filter lets through. */
export const csvAddress = (search: AuditSearch): string =>
  `/api/audit?${new URLSearchParams({ ...filterOf(search), format: 'csv' }).toString()}`

/** Some thousands of entries: those after one of them, or the newest. */
export const verifyAudit = (after?: number) =>
  data(api.GET('/api/audit/verify', { params: { query: after === undefined ? {} : { after } } }))

export const chainQuery = queryOptions({ queryKey: ['audit', 'chain'], queryFn: () => verifyAudit() })
