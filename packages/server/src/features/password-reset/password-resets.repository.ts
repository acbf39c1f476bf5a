import { and, eq, gt } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { passwordResets } from '../../db/schema/password-resets.ts'

type PasswordResetRow = typeof passwordResets.$inferSelect

export async function findPasswordResetOf(db: Queryable, userId: string): Promise<PasswordResetRow | undefined> {
  const [row] = await db.select().from(passwordResets).where(eq(passwordResets.userId, userId))
  return row
}

export async function putPasswordReset(trx: Transaction, values: PasswordResetRow): Promise<void> {
  await trx.insert(passwordResets).values(values).onConflictDoUpdate({ target: passwordResets.userId, set: values })
}

export async function findPasswordReset(
  db: Queryable,
  tokenHash: string,
  now: Date
): Promise<PasswordResetRow | undefined> {
  const [row] = await db
    .select()
    .from(passwordResets)
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now)))
  return row
}

/** Single use: a compare-and-swap lets exactly one request consume the link. */
export async function takePasswordReset(trx: Transaction, tokenHash: string, now: Date): Promise<boolean> {
  const rows = await trx
    .delete(passwordResets)
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now)))
    .returning({ userId: passwordResets.userId })
  return rows.length > 0
}

export async function dropPasswordReset(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(passwordResets).where(eq(passwordResets.userId, userId))
}
