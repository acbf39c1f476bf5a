import type { NotificationQuery } from '@panel/contract/notifications'
import { and, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { notifications } from '../../db/schema/notifications.ts'
import { users } from '../../db/schema/users.ts'

export type NotificationRow = typeof notifications.$inferSelect

export async function insertNotification(trx: Transaction, values: typeof notifications.$inferInsert): Promise<void> {
  await trx.insert(notifications).values(values)
}

export async function listAdminIds(db: Queryable): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'ADMIN'), isNull(users.deletedAt), isNull(users.suspendedAt)))
    .orderBy(users.id)
  return rows.map(({ id }) => id)
}

export async function countUnread(db: Queryable, userId: string): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
  return row!.n
}

export async function listNotifications(
  db: Queryable,
  userId: string,
  { page, limit, unread }: NotificationQuery
): Promise<{ rows: NotificationRow[]; total: number }> {
  const isWanted =
    unread === undefined ? undefined : unread ? isNull(notifications.readAt) : isNotNull(notifications.readAt)
  const where = and(eq(notifications.userId, userId), isWanted)
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(notifications)
      .where(where)
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(notifications)
      .where(where)
  ])
  return { rows, total: counted!.total }
}

export async function findNotification(
  db: Queryable,
  id: string,
  userId?: string
): Promise<NotificationRow | undefined> {
  const isOwn = userId === undefined ? undefined : eq(notifications.userId, userId)
  const [row] = await db
    .select()
    .from(notifications)
    .where(and(eq(notifications.id, id), isOwn))
  return row
}

export async function listNotificationsById(db: Queryable, ids: readonly string[]): Promise<NotificationRow[]> {
  return db
    .select()
    .from(notifications)
    .where(inArray(notifications.id, [...ids]))
    .orderBy(notifications.createdAt, notifications.id)
}

/** All unread ones of the account, or this one. Keeps the time of the first read. */
export async function markRead(trx: Transaction, userId: string, now: Date, id?: string): Promise<void> {
  await trx
    .update(notifications)
    .set({ readAt: now })
    .where(
      and(
        eq(notifications.userId, userId),
        isNull(notifications.readAt),
        id === undefined ? undefined : eq(notifications.id, id)
      )
    )
}

/** Compare-and-swap: takes this notification and earlier ones of the same subject for planning. */
export async function takeForPlanning(trx: Transaction, upTo: NotificationRow, now: Date): Promise<NotificationRow[]> {
  const isOfSubject = and(
    eq(notifications.userId, upTo.userId),
    eq(notifications.subjectType, upTo.subjectType),
    eq(notifications.subjectId, upTo.subjectId)
  )
  const taken = await trx
    .update(notifications)
    .set({ plannedAt: now })
    .where(
      and(
        isOfSubject,
        isNull(notifications.plannedAt),
        or(eq(notifications.id, upTo.id), lt(notifications.createdAt, upTo.createdAt))
      )
    )
    .returning()
  return taken.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

export async function deleteOldNotifications(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(lt(notifications.createdAt, before))
    .orderBy(notifications.createdAt)
    .limit(limit)
  const deleted = await db
    .delete(notifications)
    .where(inArray(notifications.id, old))
    .returning({ id: notifications.id })
  return deleted.length
}

export async function deleteSurplusNotifications(db: Queryable, perAccount: number): Promise<void> {
  await db.execute(sql`
    delete from ${notifications} where id in (
      select id from (
        select id, row_number() over (partition by user_id order by created_at desc, id desc) as place from ${notifications}
        where user_id in (select user_id from ${notifications} group by user_id having count(*) > ${perAccount})
      ) as counted where counted.place > ${perAccount})`)
}

export async function deleteNotificationsOf(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(notifications).where(eq(notifications.userId, userId))
}
