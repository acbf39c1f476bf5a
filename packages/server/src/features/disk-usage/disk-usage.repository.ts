import { and, asc, eq, gt, inArray, isNotNull, isNull, sql, sum } from 'drizzle-orm'
import type { DiskUsageKind } from '@panel/contract/disk-usage'
import type { Queryable, Transaction } from '../../db/database.ts'
import { diskUsage } from '../../db/schema/disk-usage.ts'
import { users } from '../../db/schema/users.ts'

export type DiskUsageRow = typeof diskUsage.$inferSelect
export interface DiskAccount {
  id: string
  uid: number
  maxDiskMb: number | null
  diskOverSince: Date | null
}

const columns = { id: users.id, uid: users.uid, maxDiskMb: users.maxDiskMb, diskOverSince: users.diskOverSince }

/** Accounts in the order of their ids. */
export async function listDiskAccounts(db: Queryable, after: string, limit: number): Promise<DiskAccount[]> {
  return db
    .select(columns)
    .from(users)
    .where(and(gt(users.id, after), isNull(users.deletedAt)))
    .orderBy(asc(users.id))
    .limit(limit)
}

export async function listUsage(db: Queryable, userIds: readonly string[]): Promise<DiskUsageRow[]> {
  return db
    .select()
    .from(diskUsage)
    .where(inArray(diskUsage.userId, [...userIds]))
}

/** What is measured replaces what was added up since the measurement before. */
export async function saveUsage(
  db: Queryable,
  kind: DiskUsageKind,
  bytes: ReadonlyMap<string, number>,
  measuredAt: Date
): Promise<void> {
  if (bytes.size === 0) return
  await db
    .insert(diskUsage)
    .values([...bytes].map(([userId, each]) => ({ userId, kind, bytes: Math.round(each), measuredAt })))
    .onConflictDoUpdate({
      target: [diskUsage.userId, diskUsage.kind],
      set: { bytes: sql`excluded.bytes`, measuredAt: sql`excluded.measured_at` }
    })
}

/** The limit of an account, and what it was found to have. */
export async function findUsage(
  db: Queryable,
  userId: string
): Promise<{ maxDiskMb: number | null; used: number } | undefined> {
  const [row] = await db
    .select({ maxDiskMb: users.maxDiskMb, used: sql<string>`coalesce(sum(${diskUsage.bytes}), 0)` })
    .from(users)
    .leftJoin(diskUsage, eq(diskUsage.userId, users.id))
    .where(eq(users.id, userId))
    .groupBy(users.id)
    .prepare('disk-usage.find')
    .execute()
  return row && { maxDiskMb: row.maxDiskMb, used: Number(row.used) }
}

/** Of an account with a limit: what came in since it was measured. */
export async function addToUsage(db: Queryable, userId: string, kind: DiskUsageKind, bytes: number): Promise<void> {
  const isLimited = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.maxDiskMb)))
  await db
    .update(diskUsage)
    .set({ bytes: sql`${diskUsage.bytes} + ${Math.round(bytes)}` })
    .where(and(inArray(diskUsage.userId, isLimited), eq(diskUsage.kind, kind)))
}

/** Compare-and-swap: undefined where it was so already. */
export async function markOver(trx: Transaction, userId: string, since: Date): Promise<boolean> {
  const { rowCount } = await trx
    .update(users)
    .set({ diskOverSince: since })
    .where(and(eq(users.id, userId), isNull(users.diskOverSince)))
  return rowCount === 1
}

export async function clearOver(db: Queryable, userId: string): Promise<void> {
  await db.update(users).set({ diskOverSince: null }).where(eq(users.id, userId))
}

export async function sumByKind(db: Queryable): Promise<{ kind: DiskUsageKind; bytes: number }[]> {
  return db
    .select({ kind: diskUsage.kind, bytes: sum(diskUsage.bytes).mapWith(Number) })
    .from(diskUsage)
    .groupBy(diskUsage.kind)
}
