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

/** Overwrites what `addToUsage` has added since the previous measurement. */
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

/** Own limit and those of the accounts above, up to the first ADMIN, who is not limited. `used` is per subtree. */
export async function listDiskLimits(
  db: Queryable,
  userId: string
): Promise<{ id: string; maxDiskMb: number; used: number }[]> {
  const { rows } = await db.execute<{ id: string; maxDiskMb: number; used: string }>(sql`
    with recursive line (id, parent_id, role, max_disk_mb) as (
      select id, parent_id, role, max_disk_mb from users where id = ${userId}
      union
      select u.id, u.parent_id, u.role, u.max_disk_mb from users u join line l on u.id = l.parent_id
        where l.role <> 'ADMIN' and u.role <> 'ADMIN'
    ), pool (top, id) as (
      select id, id from line where max_disk_mb is not null
      union
      select p.top, u.id from pool p join line l on l.id = p.top join users u on u.parent_id = p.id
        where l.role <> 'ADMIN' and u.role <> 'ADMIN' and u.deleted_at is null
    ) select line.id, line.max_disk_mb as "maxDiskMb", coalesce(sum(d.bytes), 0) as used
      from line join pool on pool.top = line.id left join disk_usage d on d.user_id = pool.id
      group by line.id, line.max_disk_mb`)
  return rows.map(({ used, ...row }) => ({ ...row, used: Number(used) }))
}

/** Adds to the usage until the next measurement; only for accounts with a limit. */
export async function addToUsage(db: Queryable, userId: string, kind: DiskUsageKind, bytes: number): Promise<void> {
  const isLimited = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.maxDiskMb)))
  await db
    .update(diskUsage)
    .set({ bytes: sql`greatest(0, ${diskUsage.bytes} + ${Math.round(bytes)})` })
    .where(and(inArray(diskUsage.userId, isLimited), eq(diskUsage.kind, kind)))
}

/** Compare-and-swap: false if it was already marked. */
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
