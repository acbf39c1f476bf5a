import { and, desc, gte, lte, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { auditCheckpoints, auditLog } from '../../db/schema/audit-log.ts'

export type CheckpointRow = typeof auditCheckpoints.$inferSelect

/** All checkpoints in order; one per ten thousand entries. */
export async function listCheckpoints(db: Queryable): Promise<CheckpointRow[]> {
  return db.select().from(auditCheckpoints).orderBy(auditCheckpoints.firstId)
}

export async function findLastCheckpoint(db: Queryable): Promise<CheckpointRow | undefined> {
  const [row] = await db.select().from(auditCheckpoints).orderBy(desc(auditCheckpoints.firstId)).limit(1)
  return row
}

/** Facts for `entriesToCut`, with the number of expired entries among the oldest `limit`. */
export async function readCutFacts(db: Queryable, expiry: Date, limit: number) {
  const { rows } = await db.execute<{ count: string; oldest: Date | null; expired: string }>(sql`
    with oldest as (select id, created_at from audit_log order by id limit ${limit}),
      ends as (select min(id) as first, max(id) as last from audit_log)
    select coalesce(last - first + 1, 0) as count,
      (select created_at from oldest order by id limit 1) as oldest,
      (select count(*) from oldest
        where id < coalesce((select min(id) from oldest where created_at >= ${expiry.toISOString()}::timestamptz), ${Number.MAX_SAFE_INTEGER})
      ) as expired
    from ends`)
  const [{ count, oldest, expired } = { count: 0, oldest: null, expired: 0 }] = rows
  return oldest === null ? undefined : { count: Number(count), oldest: new Date(oldest), expired: Number(expired) }
}

/** Replaces entries with a checkpoint. Undefined if another process has just done it; rejects if entries are missing. */
export async function cutAt(trx: Transaction, checkpoint: CheckpointRow): Promise<CheckpointRow | undefined> {
  const [row] = await trx.insert(auditCheckpoints).values(checkpoint).onConflictDoNothing().returning()
  if (!row) return undefined
  const { firstId, lastId } = checkpoint
  const { rowCount } = await trx.delete(auditLog).where(and(gte(auditLog.id, firstId), lte(auditLog.id, lastId)))
  if (rowCount !== lastId - firstId + 1)
    throw new Error(`Some of the audit entries ${firstId} to ${lastId} are missing`)
  return row
}
