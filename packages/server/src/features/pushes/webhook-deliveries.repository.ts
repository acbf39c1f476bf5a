import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { WebhookDeliveryQuery } from '@panel/contract/webhook-deliveries'
import type { Queryable, Transaction } from '../../db/database.ts'
import { unsignedDeliveries, webhookDeliveries } from '../../db/schema/webhook-deliveries.ts'

export type WebhookDeliveryRow = typeof webhookDeliveries.$inferSelect

const keptPerProject = 200

/** Removes the oldest entries of the project if there are too many. */
export async function insertWebhookDelivery(
  db: Queryable,
  values: typeof webhookDeliveries.$inferInsert
): Promise<void> {
  await db.insert(webhookDeliveries).values(values)
  const tooMany = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.projectId, values.projectId))
    .orderBy(desc(webhookDeliveries.id))
    .offset(keptPerProject)
  await db.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, tooMany))
}

export async function listWebhookDeliveries(
  db: Queryable,
  projectId: string,
  { page, limit, verdict }: WebhookDeliveryQuery
): Promise<{ rows: WebhookDeliveryRow[]; total: number }> {
  const where = and(
    eq(webhookDeliveries.projectId, projectId),
    verdict === undefined ? undefined : eq(webhookDeliveries.verdict, verdict)
  )
  const rows = db.select().from(webhookDeliveries).where(where).orderBy(desc(webhookDeliveries.id))
  const [found, total] = await Promise.all([
    rows.limit(limit).offset((page - 1) * limit),
    db.$count(webhookDeliveries, where)
  ])
  return { rows: found, total }
}

export async function findWebhookDelivery(
  db: Queryable,
  projectId: string,
  id: string
): Promise<WebhookDeliveryRow | undefined> {
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.projectId, projectId), eq(webhookDeliveries.id, id)))
  return row
}

export async function setReplay(trx: Transaction, id: string, deploymentId: string): Promise<void> {
  await trx.update(webhookDeliveries).set({ deploymentId }).where(eq(webhookDeliveries.id, id))
}

export async function dropWebhookDeliveriesBefore(db: Queryable, before: Date): Promise<void> {
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, before))
  await db.delete(unsignedDeliveries).where(lt(unsignedDeliveries.latestAt, before))
}

export async function addUnsigned(db: Queryable, projectId: string, count: number, now: Date): Promise<void> {
  const total = sql`least(${unsignedDeliveries.count}::bigint + ${count}, 2147483647)::int`
  await db
    .insert(unsignedDeliveries)
    .values({ projectId, count, latestAt: now })
    .onConflictDoUpdate({ target: unsignedDeliveries.projectId, set: { count: total, latestAt: now } })
}

export async function findUnsigned(
  db: Queryable,
  projectId: string
): Promise<{ count: number; latestAt: Date } | undefined> {
  const [row] = await db.select().from(unsignedDeliveries).where(eq(unsignedDeliveries.projectId, projectId))
  return row
}
