import { and, eq, lt } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { pushDeliveries } from '../../db/schema/push-deliveries.ts'

export async function findDelivered(db: Queryable, projectId: string, deliveryId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ deploymentId: pushDeliveries.deploymentId })
    .from(pushDeliveries)
    .where(and(eq(pushDeliveries.projectId, projectId), eq(pushDeliveries.deliveryId, deliveryId)))
  return row?.deploymentId
}

export async function insertDelivery(trx: Transaction, values: typeof pushDeliveries.$inferInsert): Promise<void> {
  await trx.insert(pushDeliveries).values(values)
}

export async function dropDeliveriesBefore(db: Queryable, before: Date): Promise<void> {
  await db.delete(pushDeliveries).where(lt(pushDeliveries.createdAt, before))
}
