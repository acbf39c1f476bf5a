import type { AuditEntry, AuditQuery } from '@panel/contract/audit'
import { pagination, type Pagination } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { type AuditRow, listAudit, listAuditOf } from './audit.repository.ts'
import { chainPending } from './chaining.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db'>

interface AuditPage {
  entries: AuditEntry[]
  pagination: Pagination
}

export async function searchAudit(deps: Deps, query: AuditQuery): Promise<AuditPage> {
  await chainPending(deps)
  const { rows, total } = await listAudit(deps.db, query)
  return { entries: rows.map(auditView), pagination: pagination(query.page, query.limit, total) }
}

/** What a user did, and what was done to the account. Where somebody else acted from is theirs to know. */
export async function searchOwnAudit(
  deps: Deps,
  userId: string,
  query: { page: number; limit: number }
): Promise<AuditPage> {
  await chainPending(deps)
  const { rows, total } = await listAuditOf(deps.db, userId, query)
  const entries = rows
    .map(auditView)
    .map((entry) =>
      entry.actorId === null || entry.actorId === userId ? entry : { ...entry, ip: null, userAgent: null }
    )
  return { entries, pagination: pagination(query.page, query.limit, total) }
}

const auditView = (row: AuditRow): AuditEntry => ({
  id: row.id,
  action: row.action,
  actorId: row.actorId,
  targetId: row.targetId,
  ip: row.ip,
  userAgent: row.userAgent,
  metadata: row.metadata,
  createdAt: row.createdAt.toISOString()
})
