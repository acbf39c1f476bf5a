import { and, desc, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { notificationChannels, notificationDeliveries, notificationPreferences } from '../../db/schema/notifications.ts'

export type ChannelRow = typeof notificationChannels.$inferSelect
export type DeliveryRow = typeof notificationDeliveries.$inferSelect
export type PreferencesRow = typeof notificationPreferences.$inferSelect

/** Creates the account's email channel on first use. */
export async function listChannels(db: Queryable, userId: string): Promise<ChannelRow[]> {
  const id = `email-${userId}`
  const found = await db
    .select()
    .from(notificationChannels)
    .where(eq(notificationChannels.userId, userId))
    .orderBy(notificationChannels.createdAt, notificationChannels.id)
  if (found.some((channel) => channel.id === id)) return found
  const target = 'your email address'
  await db
    .insert(notificationChannels)
    .values({ id, userId, type: 'EMAIL', name: 'Email', target })
    .onConflictDoNothing()
  return [...(await db.select().from(notificationChannels).where(eq(notificationChannels.id, id))), ...found]
}

export async function insertChannel(
  trx: Transaction,
  values: typeof notificationChannels.$inferInsert
): Promise<ChannelRow> {
  const [row] = await trx.insert(notificationChannels).values(values).returning()
  return row!
}

export async function findChannel(db: Queryable, id: string, userId?: string): Promise<ChannelRow | undefined> {
  const isOwn = userId === undefined ? undefined : eq(notificationChannels.userId, userId)
  const [row] = await db
    .select()
    .from(notificationChannels)
    .where(and(eq(notificationChannels.id, id), isOwn))
  return row
}

/** With `unchangedSince` (the row's `updatedAt`), only if the owner has not changed it since. */
export async function updateChannel(
  db: Queryable,
  id: string,
  values: Partial<ChannelRow>,
  unchangedSince?: Date
): Promise<ChannelRow | undefined> {
  const isUnchanged = unchangedSince === undefined ? undefined : eq(notificationChannels.updatedAt, unchangedSince)
  const [row] = await db
    .update(notificationChannels)
    .set(values)
    .where(and(eq(notificationChannels.id, id), isUnchanged))
    .returning()
  return row
}

export async function deleteChannel(trx: Transaction, id: string): Promise<void> {
  await trx.delete(notificationChannels).where(eq(notificationChannels.id, id))
}

export async function deleteChannelsOf(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(notificationDeliveries).where(eq(notificationDeliveries.userId, userId))
  await trx.delete(notificationChannels).where(eq(notificationChannels.userId, userId))
  await trx.delete(notificationPreferences).where(eq(notificationPreferences.userId, userId))
}

export async function findPreferences(db: Queryable, userId: string): Promise<PreferencesRow | undefined> {
  const [row] = await db.select().from(notificationPreferences).where(eq(notificationPreferences.userId, userId))
  return row
}

export async function savePreferences(
  trx: Transaction,
  values: typeof notificationPreferences.$inferInsert
): Promise<void> {
  await trx
    .insert(notificationPreferences)
    .values(values)
    .onConflictDoUpdate({ target: notificationPreferences.userId, set: values })
}

export async function listDeliveries(db: Queryable, userId: string, page: number, limit: number) {
  const where = eq(notificationDeliveries.userId, userId)
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(notificationDeliveries)
      .where(where)
      .orderBy(desc(notificationDeliveries.createdAt), desc(notificationDeliveries.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(notificationDeliveries)
      .where(where)
  ])
  return { rows, total: counted!.total }
}
