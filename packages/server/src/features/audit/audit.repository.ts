import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { AuditQuery } from '@panel/contract/audit'
import type { Queryable, Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { auditLog, auditPending } from '../../db/schema/audit-log.ts'
import { users } from '../../db/schema/users.ts'

export type AuditRow = typeof auditLog.$inferSelect

interface AuditPage {
  rows: AuditRow[]
  total: number
}
type PageOfAudit = Pick<AuditQuery, 'page' | 'limit'>
export type AuditFilter = Pick<AuditQuery, 'action' | 'actorId' | 'targetId' | 'from' | 'to'>

// Counting stops here: otherwise each page would scan the whole log.
const countedAtMost = 10_001

export async function insertPending(db: Queryable, values: typeof auditPending.$inferInsert): Promise<void> {
  await db.insert(auditPending).values(values).prepare('audit.insert-pending').execute()
}

export async function hasPending(db: Queryable): Promise<boolean> {
  return (await db.select({ id: auditPending.id }).from(auditPending).limit(1)).length > 0
}

/** Removes pending entries to chain them, in order. The caller holds the chain lock. */
export async function takePending(trx: Transaction, limit: number) {
  const next = trx.select({ id: auditPending.id }).from(auditPending).orderBy(auditPending.position).limit(limit)
  const rows = await trx.delete(auditPending).where(inArray(auditPending.id, next)).returning()
  return rows
    .sort((a, b) => a.position - b.position)
    .map(({ id: entryId, position: _position, ...entry }) => ({ entryId, ...entry }))
}

export async function findChained(trx: Transaction, entryIds: readonly string[]): Promise<Set<string>> {
  const rows = await trx
    .select({ entryId: auditLog.entryId })
    .from(auditLog)
    .where(inArray(auditLog.entryId, [...entryIds]))
  return new Set(rows.map(({ entryId }) => entryId!))
}

/** The last entry, locked until the commit: each entry needs the hash of its predecessor. */
export async function lockLastEntry(trx: Transaction): Promise<Pick<AuditRow, 'id' | 'hash'> | undefined> {
  await lockName(trx, 'audit')
  const [last] = await trx
    .select({ id: auditLog.id, hash: auditLog.hash })
    .from(auditLog)
    .orderBy(desc(auditLog.id))
    .limit(1)
  return last
}

export async function insertEntries(trx: Transaction, values: (typeof auditLog.$inferInsert)[]): Promise<void> {
  await trx.insert(auditLog).values(values)
}

export async function listAudit(db: Queryable, query: AuditQuery): Promise<AuditPage> {
  const where = filterOf(query)
  return where ? filteredPage(db, where, query) : unfilteredPage(db, query)
}

export async function readAuditBefore(
  db: Queryable,
  filter: AuditFilter,
  id: number,
  limit: number
): Promise<AuditRow[]> {
  const where = and(filterOf(filter), lt(auditLog.id, id))
  return db.select().from(auditLog).where(where).orderBy(desc(auditLog.id)).limit(limit)
}

const filterOf = ({ action, actorId, targetId, from, to }: AuditFilter): SQL | undefined =>
  and(
    action === undefined ? undefined : eq(auditLog.action, action),
    actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
    targetId === undefined ? undefined : eq(auditLog.targetId, targetId),
    from === undefined ? undefined : gte(auditLog.createdAt, new Date(from)),
    to === undefined ? undefined : lt(auditLog.createdAt, new Date(to))
  )

export async function listAuditOf(db: Queryable, userId: string, page: PageOfAudit): Promise<AuditPage> {
  return filteredPage(db, or(eq(auditLog.actorId, userId), eq(auditLog.targetId, userId))!, page)
}

/** Ids have no gaps, so the first and last id give the total, and a page is a range of ids. */
async function unfilteredPage(db: Queryable, { page, limit }: PageOfAudit): Promise<AuditPage> {
  const idOf = (order: SQL) => db.select({ id: auditLog.id }).from(auditLog).orderBy(order).limit(1)
  const [[last], [first]] = await Promise.all([idOf(desc(auditLog.id)), idOf(asc(auditLog.id))])
  const total = last && first ? last.id - first.id + 1 : 0
  const latest = (last?.id ?? 0) - (page - 1) * limit
  const range = and(lte(auditLog.id, latest), gt(auditLog.id, latest - limit))
  return { rows: await db.select().from(auditLog).where(range).orderBy(desc(auditLog.id)), total }
}

async function filteredPage(db: Queryable, where: SQL, { page, limit }: PageOfAudit): Promise<AuditPage> {
  const counted = db.select({ id: auditLog.id }).from(auditLog).where(where).limit(countedAtMost).as('counted')
  const [rows, [count]] = await Promise.all([
    db
      .select()
      .from(auditLog)
      .where(where)
      .orderBy(desc(auditLog.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: sql<number>`count(*)::int` }).from(counted)
  ])
  return { rows, total: count?.total ?? 0 }
}

export async function readAuditAfter(db: Queryable, id: number, limit: number): Promise<AuditRow[]> {
  return db.select().from(auditLog).where(gt(auditLog.id, id)).orderBy(asc(auditLog.id)).limit(limit)
}

export async function findEntry(db: Queryable, id: number): Promise<Pick<AuditRow, 'id' | 'hash'> | undefined> {
  const [row] = await db.select({ id: auditLog.id, hash: auditLog.hash }).from(auditLog).where(eq(auditLog.id, id))
  return row
}

export async function findLatestId(db: Queryable): Promise<number | undefined> {
  const [row] = await db.select({ id: auditLog.id }).from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  return row?.id
}

export async function findEmails(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(inArray(users.id, [...ids]), isNull(users.deletedAt)))
  return new Map(rows.map(({ id, email }) => [id, email]))
}
