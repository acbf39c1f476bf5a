import { deliveryCheckTexts } from '@panel/contract/delivery-check-texts'
import type { DeliveryTestStatus } from '@panel/contract/delivery-tests'
import { and, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { deliveryTests } from '../../db/schema/delivery-tests.ts'
import { users } from '../../db/schema/users.ts'
import { sourcesOf } from './delivery-test.machine.ts'

export type DeliveryTestRow = typeof deliveryTests.$inferSelect

export async function countTestsSince(trx: Transaction, userId: string, since: Date): Promise<number> {
  const [row] = await trx
    .select({ n: sql<number>`count(*)::int` })
    .from(deliveryTests)
    .where(and(eq(deliveryTests.userId, userId), gte(deliveryTests.createdAt, since)))
  return row!.n
}

export async function findAccountEmail(db: Queryable, userId: string): Promise<string> {
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return row?.email ?? ''
}

export async function insertTest(trx: Transaction, row: typeof deliveryTests.$inferInsert): Promise<void> {
  await trx.insert(deliveryTests).values(row)
}

export async function findTest(db: Queryable, id: string, userId?: string): Promise<DeliveryTestRow | undefined> {
  const isOwn = userId === undefined ? undefined : eq(deliveryTests.userId, userId)
  const [row] = await db
    .select()
    .from(deliveryTests)
    .where(and(eq(deliveryTests.id, id), isOwn))
  return row
}

export async function isAwaited(db: Queryable, token: string): Promise<boolean> {
  const rows = await db
    .select({ id: deliveryTests.id })
    .from(deliveryTests)
    .where(and(eq(deliveryTests.token, token), inArray(deliveryTests.status, [...sourcesOf.ANSWERED])))
  return rows.length > 0
}

/** Compare-and-swap: no effect if the current status does not allow the transition. */
export async function moveTest(
  db: Queryable,
  where: { id: string } | { token: string },
  status: DeliveryTestStatus,
  now: Date,
  values: Partial<Pick<DeliveryTestRow, 'answer' | 'queueId' | 'relay' | 'reply'>> = {}
): Promise<void> {
  const which = 'id' in where ? eq(deliveryTests.id, where.id) : eq(deliveryTests.token, where.token)
  await db
    .update(deliveryTests)
    .set({ ...values, status, updatedAt: now })
    .where(and(which, inArray(deliveryTests.status, [...sourcesOf[status]])))
}

export async function claimProbe(db: Queryable, id: string, now: Date, notSince: Date): Promise<boolean> {
  const rows = await db
    .update(deliveryTests)
    .set({ lookedAt: now })
    .where(and(eq(deliveryTests.id, id), or(isNull(deliveryTests.lookedAt), lt(deliveryTests.lookedAt, notSince))))
    .returning({ id: deliveryTests.id })
  return rows.length > 0
}

export async function failLostTests(db: Queryable, before: Date, now: Date): Promise<void> {
  await db
    .update(deliveryTests)
    .set({ status: 'FAILED', reply: deliveryCheckTexts.TAKEN_OR_NOT, updatedAt: now })
    .where(and(eq(deliveryTests.status, 'SENDING'), lt(deliveryTests.createdAt, before)))
}

export async function deleteOldTests(db: Queryable, before: Date): Promise<void> {
  await db.delete(deliveryTests).where(lt(deliveryTests.createdAt, before))
}
