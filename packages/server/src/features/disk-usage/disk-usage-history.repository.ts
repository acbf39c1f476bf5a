import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/database.ts'
import { diskUsageHistory } from '../../db/schema/disk-usage-history.ts'

export type DiskUsageDayRow = Omit<typeof diskUsageHistory.$inferSelect, 'userId'>

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
const daysBefore = (now: Date, days: number): string => dayOf(new Date(now.getTime() - days * 24 * 3_600_000))

/** Records the latest measurement for the day and deletes days older than `keptDays`. */
export async function recordDay(db: Database, now: Date, keptDays: number): Promise<void> {
  await db.execute(sql`
    insert into disk_usage_history (user_id, kind, day, bytes)
    select user_id, kind, ${dayOf(now)}::date, bytes from disk_usage
    order by user_id, kind
    on conflict (user_id, day, kind) do update set bytes = excluded.bytes
      where disk_usage_history.bytes <> excluded.bytes`)
  await db.execute(sql`
    delete from disk_usage_history h using users u
    where h.user_id = u.id and h.day < ${daysBefore(now, keptDays)}::date`)
}

export async function listDays(db: Queryable, userId: string, now: Date, days: number): Promise<DiskUsageDayRow[]> {
  return db
    .select({ day: diskUsageHistory.day, kind: diskUsageHistory.kind, bytes: diskUsageHistory.bytes })
    .from(diskUsageHistory)
    .where(and(eq(diskUsageHistory.userId, userId), gt(diskUsageHistory.day, daysBefore(now, days))))
    .orderBy(asc(diskUsageHistory.day), asc(diskUsageHistory.kind))
}
