import type { AuditEntry, AuditQuery } from '@panel/contract/audit'
import { pagination, type Pagination } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { findBreak } from './audit-chain.policy.ts'
import { type AuditRow, listAudit, listAuditOf, readAuditAfter } from './audit.repository.ts'
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

interface AuditVerdict {
  /** How many entries follow from one another. */
  count: number
  last: { id: number; hash: string }
  /** The first entry that does not follow from the one before it. */
  brokenAt: number | undefined
}

/** Checks the chain from its start, in pages. */
export async function verifyAudit(deps: Deps, pageSize = 1000): Promise<AuditVerdict> {
  await chainPending(deps)
  let last = { id: 0, hash: '' }
  // Entries count from 1; one below would be hidden from the chain.
  for (let count = 0, after = Number.MIN_SAFE_INTEGER; ; after = last.id) {
    const rows = await readAuditAfter(deps.db, after, pageSize)
    const brokenAt = findBreak(deps.config.ENCRYPTION_KEY, last, rows)
    const good =
      brokenAt === undefined
        ? rows
        : rows.slice(
            0,
            rows.findIndex((row) => row.id === brokenAt)
          )
    count += good.length
    last = good.at(-1) ?? last
    if (brokenAt !== undefined || rows.length < pageSize) {
      return { count, last: { id: last.id, hash: last.hash }, brokenAt }
    }
  }
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
