import type { NotificationKind } from '@panel/contract/notifications'
import { and, between, eq, gt, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { notificationDeliveries, notificationSubjects } from '../../db/schema/notifications.ts'
import type { DeliveryRow } from './channels.repository.ts'
import { dampingLimits, noMemory, type SubjectMemory } from './damping.machine.ts'

export async function insertDelivery(
  trx: Queryable,
  values: typeof notificationDeliveries.$inferInsert
): Promise<void> {
  await trx.insert(notificationDeliveries).values(values)
}

/** Both ends inclusive. Later ones date from before the clock was set back. */
export async function countDeliveries(
  db: Queryable,
  of: { channelId: string } | { userId: string; isTest?: boolean },
  { from, to }: { from: Date; to: Date }
): Promise<number> {
  const which =
    'channelId' in of
      ? eq(notificationDeliveries.channelId, of.channelId)
      : eq(notificationDeliveries.userId, of.userId)
  const isKind = 'channelId' in of ? false : (of.isTest ?? false)
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(notificationDeliveries)
    .where(and(which, eq(notificationDeliveries.isTest, isKind), between(notificationDeliveries.createdAt, from, to)))
  return row!.n
}

const maxIds = 10

/** Adds to a pending digest of the channel that is due by then; false if there is none. */
export async function addToDigest(
  trx: Transaction,
  channelId: string,
  { id: notificationId, kind }: { id: string; kind: NotificationKind },
  dueBy?: Date
): Promise<boolean> {
  const isInTime = dueBy ? sql`and due_at <= ${dueBy.toISOString()}` : sql``
  const { rowCount } = await trx.execute(sql`
    update notification_deliveries set
      count = count + 1,
      kinds = jsonb_set(kinds, array[${kind}::text], to_jsonb(coalesce((kinds ->> ${kind}::text)::int, 0) + 1)),
      notification_ids = case when jsonb_array_length(notification_ids) < ${maxIds}
        then notification_ids || to_jsonb(${notificationId}::text) else notification_ids end
    where id = (
      select id from notification_deliveries
      where channel_id = ${channelId} and is_digest and status = 'WAITING' and attempts = 0 ${isInTime}
      order by created_at limit 1 for update)`)
  return (rowCount ?? 0) > 0
}

/** Compare-and-swap on the attempt count. An interrupted attempt is repeated with the same id. */
export async function takeDelivery(db: Queryable, id: string, attempts: number): Promise<DeliveryRow | undefined> {
  const [row] = await db
    .update(notificationDeliveries)
    .set({ status: 'SENDING' })
    .where(
      and(
        eq(notificationDeliveries.id, id),
        eq(notificationDeliveries.attempts, attempts),
        inArray(notificationDeliveries.status, ['WAITING', 'SENDING'])
      )
    )
    .returning()
  return row
}

/** False if another process has finished this attempt. */
export async function endAttempt(
  trx: Transaction,
  { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
  values: Partial<DeliveryRow>
): Promise<boolean> {
  const { rowCount } = await trx
    .update(notificationDeliveries)
    .set({ ...values, attempts: attempts + 1 })
    .where(
      and(
        eq(notificationDeliveries.id, id),
        eq(notificationDeliveries.attempts, attempts),
        eq(notificationDeliveries.status, 'SENDING')
      )
    )
  return rowCount === 1
}

export async function endTest(db: Queryable, id: string, values: Partial<DeliveryRow>): Promise<void> {
  await db.update(notificationDeliveries).set(values).where(eq(notificationDeliveries.id, id))
}

export async function deleteOldDeliveries(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: notificationDeliveries.id })
    .from(notificationDeliveries)
    .where(lt(notificationDeliveries.createdAt, before))
    .orderBy(notificationDeliveries.createdAt)
    .limit(limit)
  const { rowCount } = await db.delete(notificationDeliveries).where(inArray(notificationDeliveries.id, old))
  return rowCount ?? 0
}

export async function deleteSurplusDeliveries(db: Queryable, perAccount: number, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from ${notificationDeliveries} where id in (
      select id from (
        select id, ended_at, row_number() over (partition by user_id order by created_at desc, id desc) as place
        from ${notificationDeliveries} where user_id in
          (select user_id from ${notificationDeliveries} group by user_id having count(*) > ${perAccount})
      ) as counted where counted.place > ${perAccount} and ended_at is not null limit ${limit})`)
  return rowCount ?? 0
}

export interface SubjectKey {
  userId: string
  pair: string
  subjectType: string
  subjectId: string
}

const isSubject = (key: SubjectKey) =>
  and(
    eq(notificationSubjects.userId, key.userId),
    eq(notificationSubjects.pair, key.pair),
    eq(notificationSubjects.subjectType, key.subjectType),
    eq(notificationSubjects.subjectId, key.subjectId)
  )

export async function readSubject(db: Queryable, key: SubjectKey): Promise<SubjectMemory> {
  const [row] = await db.select().from(notificationSubjects).where(isSubject(key))
  return row ? { ...row, settleAt: row.settleAt?.getTime() ?? null } : noMemory
}

export async function saveSubject(trx: Transaction, key: SubjectKey, memory: SubjectMemory, now: Date): Promise<void> {
  const values = {
    toldState: memory.toldState,
    toldAt: [...memory.toldAt],
    heldId: memory.heldId,
    settleAt: memory.settleAt === null ? null : new Date(memory.settleAt),
    updatedAt: now
  }
  await trx
    .insert(notificationSubjects)
    .values({ ...key, ...values })
    .onConflictDoUpdate({
      target: [
        notificationSubjects.userId,
        notificationSubjects.pair,
        notificationSubjects.subjectType,
        notificationSubjects.subjectId
      ],
      set: values
    })
}

export const isAnySettling = async (db: Queryable): Promise<boolean> =>
  (await db.$count(notificationSubjects, isNotNull(notificationSubjects.settleAt))) > 0

/** Due subjects, and those due implausibly late (the clock was set back). */
export async function listSettling(db: Queryable, now: Date, limit: number): Promise<SubjectKey[]> {
  return db
    .select()
    .from(notificationSubjects)
    .where(
      or(
        lt(notificationSubjects.settleAt, now),
        gt(notificationSubjects.settleAt, new Date(now.getTime() + 2 * dampingLimits.steadyMs))
      )
    )
    .orderBy(notificationSubjects.settleAt)
    .limit(limit)
}

export async function forgetSubjects(db: Queryable, before: Date): Promise<void> {
  await db.delete(notificationSubjects).where(lt(notificationSubjects.updatedAt, before))
}

export async function deleteSubjectsOf(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(notificationSubjects).where(eq(notificationSubjects.userId, userId))
}
