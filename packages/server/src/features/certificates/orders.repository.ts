import { createHash } from 'node:crypto'
import { and, eq, gt, lt, ne, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { certificateOrders } from '../../db/schema/certificate-orders.ts'
import { newId } from '../../security/ids.ts'
import type { AcceptedOrder } from './order-budget.policy.ts'

/** Derived from the CA's order URL, so that a resumed order keeps its row. */
const orderId = (orderUrl: string): string => createHash('sha256').update(orderUrl).digest('hex')

export interface OrderOwner {
  hostname: string
  userId: string | null
}

export async function openOrder(trx: Queryable, orderUrl: string, owner: OrderOwner, now: Date): Promise<void> {
  await trx
    .insert(certificateOrders)
    .values({ id: orderId(orderUrl), ...owner, outcome: 'open', createdAt: now })
    .onConflictDoNothing()
}

export async function closeOrder(trx: Queryable, orderUrl: string, outcome: 'issued' | 'failed'): Promise<void> {
  await trx
    .update(certificateOrders)
    .set({ outcome })
    .where(and(eq(certificateOrders.id, orderId(orderUrl)), eq(certificateOrders.outcome, 'open')))
}

export async function insertRefused(db: Queryable, owner: OrderOwner, now: Date): Promise<void> {
  await db.insert(certificateOrders).values({ id: newId(now.getTime()), ...owner, outcome: 'refused', createdAt: now })
}

export const listOrdersOfName = (db: Queryable, hostname: string, since: Date): Promise<AcceptedOrder[]> =>
  listOrders(db, since, eq(certificateOrders.hostname, hostname))

export const listOrdersOfAccount = (db: Queryable, userId: string, since: Date): Promise<AcceptedOrder[]> =>
  listOrders(db, since, eq(certificateOrders.userId, userId))

export const listOrdersOfServer = (db: Queryable, since: Date): Promise<AcceptedOrder[]> =>
  listOrders(db, since, ne(certificateOrders.outcome, 'refused'))

async function listOrders(db: Queryable, since: Date, condition: SQL): Promise<AcceptedOrder[]> {
  return db
    .select({ outcome: certificateOrders.outcome, createdAt: certificateOrders.createdAt })
    .from(certificateOrders)
    .where(and(condition, gt(certificateOrders.createdAt, since)))
}

export async function deleteOrdersBefore(db: Queryable, before: Date): Promise<void> {
  await db.delete(certificateOrders).where(lt(certificateOrders.createdAt, before))
}
