import { and, desc, eq, gt, inArray, isNull, lt, lte, or } from 'drizzle-orm'
import type { Role } from '@panel/contract/users'
import type { Queryable, Transaction } from '../../db/database.ts'
import { apiTokens } from '../../db/schema/api-tokens.ts'
import { users } from '../../db/schema/users.ts'

export type ApiTokenRow = typeof apiTokens.$inferSelect

export async function listApiTokens(
  db: Queryable,
  userId: string,
  { page, limit }: { page: number; limit: number }
): Promise<ApiTokenRow[]> {
  return db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.userId, userId))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
    .limit(limit)
    .offset((page - 1) * limit)
}

export async function hasApiToken(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await db.$count(apiTokens, and(eq(apiTokens.userId, userId), eq(apiTokens.id, id)))) > 0
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

export async function deleteApiToken(trx: Transaction, userId: string, id: string): Promise<ApiTokenRow | undefined> {
  const [row] = await trx
    .delete(apiTokens)
    .where(and(eq(apiTokens.userId, userId), eq(apiTokens.id, id)))
    .returning()
  return row
}

export async function findTokenOwner(
  db: Queryable,
  tokenHash: string
): Promise<(ApiTokenRow & { suspendedAt: Date | null }) | undefined> {
  const [row] = await db
    .select({ token: apiTokens, suspendedAt: users.suspendedAt })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.tokenHash, tokenHash), isNull(users.deletedAt)))
  return row && { ...row.token, suspendedAt: row.suspendedAt }
}

export async function listOpenTokens(
  db: Queryable,
  ids: readonly string[],
  now: Date
): Promise<{ id: string; role: Role; expiresAt: Date }[]> {
  if (ids.length === 0) return []
  return db
    .select({ id: apiTokens.id, role: users.role, expiresAt: apiTokens.expiresAt })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(
      and(
        inArray(apiTokens.id, [...ids]),
        gt(apiTokens.expiresAt, now),
        isNull(users.suspendedAt),
        isNull(users.deletedAt)
      )
    )
}

/** Does nothing if another request has marked it since `before`. */
export async function markTokenUsed(
  db: Queryable,
  id: string,
  { now, before }: { now: Date; before: Date }
): Promise<void> {
  await db
    .update(apiTokens)
    .set({ lastUsedAt: now })
    .where(and(eq(apiTokens.id, id), or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, before))))
}

export async function deleteApiTokensOf(trx: Transaction, userId: string): Promise<number> {
  const rows = await trx.delete(apiTokens).where(eq(apiTokens.userId, userId)).returning({ id: apiTokens.id })
  return rows.length
}
