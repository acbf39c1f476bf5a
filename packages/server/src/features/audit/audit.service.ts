import { Readable } from 'node:stream'
import type { AuditEntry, AuditQuery } from '@panel/contract/audit'
import { pagination, type Pagination } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { csvHead, csvLine } from './audit-csv.render.ts'
import {
  type AuditFilter,
  type AuditRow,
  findEmails,
  listAudit,
  listAuditOf,
  readAuditBefore
} from './audit.repository.ts'
import { chainPending } from './chaining.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db'>

const rowsAtOnce = 1_000

interface AuditPage {
  entries: AuditEntry[]
  pagination: Pagination
}

export async function searchAudit(deps: Deps, query: AuditQuery): Promise<AuditPage> {
  await chainPending(deps)
  const { rows, total } = await listAudit(deps.db, query)
  return { entries: await withAddresses(deps, rows), pagination: pagination(query.page, query.limit, total) }
}

/** CSV of the filtered log, newest first. Read in pages to keep memory bounded. */
export async function exportAudit(deps: Deps, filter: AuditFilter): Promise<Readable> {
  await chainPending(deps)
  return Readable.from(csvOf(deps, filter), { objectMode: false })
}

async function* csvOf(deps: Deps, filter: AuditFilter): AsyncGenerator<string> {
  yield csvHead
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await readAuditBefore(deps.db, filter, before, rowsAtOnce)
    if (rows.length > 0) yield (await withAddresses(deps, rows)).map(csvLine).join('')
    if (rows.length < rowsAtOnce) return
    before = rows.at(-1)!.id
  }
}

/** Email addresses instead of names, because users choose their names. */
async function withAddresses({ db }: Pick<Deps, 'db'>, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const ids = new Set(rows.flatMap(({ actorId, targetId }) => [actorId, targetId]).filter((id) => id !== null))
  const emails = await findEmails(db, [...ids])
  const emailOf = (id: string | null) => (id === null ? null : (emails.get(id) ?? null))
  return rows.map((row) => ({
    ...auditView(row),
    actorEmail: emailOf(row.actorId),
    targetEmail: emailOf(row.targetId)
  }))
}

/** Entries by or about the user. IP address and client of other actors are hidden. */
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
