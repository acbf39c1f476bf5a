import { and, desc, eq, lte } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { apiTokens } from '../../db/schema/api-tokens.ts'

export type ApiTokenRow = typeof apiTokens.$inferSelect

export async function listApiTokens(db: Queryable, userId: string): Promise<ApiTokenRow[]> {
  return db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.userId, userId))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
}

export async function insertApiToken(trx: Transaction, values: typeof apiTokens.$inferInsert): Promise<ApiTokenRow> {
  const [row] = await trx.insert(apiTokens).values(values).returning()
  return row!
}

export async function countApiTokens(db: Queryable, userId: string): Promise<number> {
  return db.$count(apiTokens, eq(apiTokens.userId, userId))
}

export async function deleteExpiredApiTokens(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx.delete(apiTokens).where(and(eq(apiTokens.userId, userId), lte(apiTokens.expiresAt, now)))
}

/** By owner and id together: somebody else's is not found. */
export async function deleteApiToken(trx: Transaction, userId: string, id: string): Promise<ApiTokenRow | undefined> {
  const [row] = await trx
    .delete(apiTokens)
    .where(and(eq(apiTokens.userId, userId), eq(apiTokens.id, id)))
    .returning()
  return row
}

/** For whatever ends all ways in: suspension, deletion, a reset of the password or of two-factor. */
export async function deleteApiTokensOf(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(apiTokens).where(eq(apiTokens.userId, userId))
}
