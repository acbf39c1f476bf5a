import { createHash } from 'node:crypto'
import { and, eq, gt, lt, ne, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { certificateOrders } from '../../db/schema/certificate-orders.ts'
import { newId } from '../../security/ids.ts'
import type { AcceptedOrder } from './order-budget.policy.ts'

/** An order has one row however often it is taken up again: its id follows from the authority's. */
const orderId = (orderUrl: string): string => createHash('sha256').update(orderUrl).digest('hex')

export interface OrderOwner {
  hostname: string
  /** The account whose share it counts in; null of a renewal that is due. */
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

/** A try of which no order came. */
export async function insertRefused(db: Queryable, owner: OrderOwner, now: Date): Promise<void> {
  await db.insert(certificateOrders).values({ id: newId(now.getTime()), ...owner, outcome: 'refused', createdAt: now })
}

export const listOrdersOfName = (db: Queryable, hostname: string, since: Date): Promise<AcceptedOrder[]> =>
  listOrders(db, since, eq(certificateOrders.hostname, hostname))

export const listOrdersOfAccount = (db: Queryable, userId: string, since: Date): Promise<AcceptedOrder[]> =>
  listOrders(db, since, eq(certificateOrders.userId, userId))

/** Those that the authority knows of. */
export const listOrdersOfServer = (db: Queryable, since: Date): Promise<AcceptedOrder[]> =>
  listOrders(db, since, ne(certificateOrders.outcome, 'refused'))

async function listOrders(db: Queryable, since: Date, isMeant: SQL): Promise<AcceptedOrder[]> {
  return db
    .select({ outcome: certificateOrders.outcome, createdAt: certificateOrders.createdAt })
    .from(certificateOrders)
    .where(and(isMeant, gt(certificateOrders.createdAt, since)))
}

export async function dropOrdersBefore(db: Queryable, before: Date): Promise<void> {
  await db.delete(certificateOrders).where(lt(certificateOrders.createdAt, before))
}
