import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { users } from '../../db/schema/users.ts'

export async function saveNearQuotas(trx: Transaction, userId: string, nearQuotas: string[]): Promise<void> {
  await trx.update(users).set({ nearQuotas }).where(eq(users.id, userId))
}

export async function listNotifiedAccounts(db: Queryable): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isNull(users.deletedAt), sql`cardinality(${users.nearQuotas}) > 0`))
  return rows.map(({ id }) => id)
}
