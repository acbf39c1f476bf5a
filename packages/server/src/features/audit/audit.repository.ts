import { and, asc, desc, eq, gt, gte, lt, sql } from 'drizzle-orm'
import type { AuditAction, AuditQuery } from '@panel/contract/audit'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { auditLog } from '../../db/schema.ts'
import type { Dependencies } from '../../dependencies.ts'
import { chainHash } from './audit-chain.policy.ts'

export type AuditRow = typeof auditLog.$inferSelect

/** Where an act came from: a request, or `{}` for the panel's own doing. */
export interface AuditOrigin {
  ip?: string
  headers?: { 'user-agent'?: string | undefined }
}

export interface NewAuditEntry {
  action: AuditAction
  /** Null where nobody is signed in. */
  actorId: string | null
  targetId: string | null
  /** Never secret material. */
  metadata?: Record<string, unknown>
}

type Deps = Pick<Dependencies, 'config' | 'now'>

/** Appends one entry in the caller's transaction: the act and its record are there together or not at all. */
export async function recordAudit(
  deps: Deps,
  trx: Transaction,
  origin: AuditOrigin,
  entry: NewAuditEntry
): Promise<void> {
  // One writer at a time until it commits: each entry needs the hash of the one before it.
  await trx.execute(sql`select pg_advisory_xact_lock(7236245)`)
  const [last] = await trx
    .select({ id: auditLog.id, hash: auditLog.hash })
    .from(auditLog)
    .orderBy(desc(auditLog.id))
    .limit(1)
  const row = {
    id: (last?.id ?? 0) + 1,
    action: entry.action,
    actorId: entry.actorId,
    targetId: entry.targetId,
    ip: origin.ip ?? null,
    userAgent: origin.headers?.['user-agent']?.replaceAll('\0', '').slice(0, 500) ?? null,
    metadata: entry.metadata ?? {},
    createdAt: deps.now()
  }
  await trx.insert(auditLog).values({ ...row, hash: chainHash(deps.config.ENCRYPTION_KEY, last?.hash ?? '', row) })
}

/** As recordAudit, for an act that changes no rows. */
export async function recordAuditAlone(
  deps: Deps & { db: Database },
  origin: AuditOrigin,
  entry: NewAuditEntry
): Promise<void> {
  await deps.db.transaction((trx) => recordAudit(deps, trx, origin, entry))
}

export async function listAudit(db: Queryable, query: AuditQuery): Promise<{ rows: AuditRow[]; total: number }> {
  const where = and(
    query.action === undefined ? undefined : eq(auditLog.action, query.action),
    query.actorId === undefined ? undefined : eq(auditLog.actorId, query.actorId),
    query.targetId === undefined ? undefined : eq(auditLog.targetId, query.targetId),
    query.from === undefined ? undefined : gte(auditLog.createdAt, new Date(query.from)),
    query.to === undefined ? undefined : lt(auditLog.createdAt, new Date(query.to))
  )
  const [rows, counted] = await Promise.all([
    db
      .select()
      .from(auditLog)
      .where(where)
      .orderBy(desc(auditLog.id))
      .limit(query.limit)
      .offset((query.page - 1) * query.limit),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(auditLog)
      .where(where)
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

/** The next entries after an id, in order: for reading all of it in pages. */
export async function readAuditAfter(db: Queryable, id: number, limit: number): Promise<AuditRow[]> {
  return db.select().from(auditLog).where(gt(auditLog.id, id)).orderBy(asc(auditLog.id)).limit(limit)
}
