import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { recoveryCodes } from '../../db/schema/recovery-codes.ts'
import { users } from '../../db/schema/users.ts'
import { newId } from '../../security/ids.ts'

export async function savePendingSecret(db: Queryable, userId: string, sealedSecret: string): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ totpSecret: sealedSecret, totpLastStep: null })
    .where(and(eq(users.id, userId), eq(users.totpEnabled, false)))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Enables two-factor with the pending secret; false if that was replaced, or two-factor is already on. */
export async function enableTotp(
  trx: Transaction,
  userId: string,
  enabled: { sealedSecret: string; step: number; now: Date }
): Promise<boolean> {
  const pending = and(eq(users.id, userId), eq(users.totpEnabled, false), eq(users.totpSecret, enabled.sealedSecret))
  const rows = await trx
    .update(users)
    .set({ totpEnabled: true, totpLastStep: enabled.step, updatedAt: enabled.now })
    .where(pending)
    .returning({ id: users.id })
  return rows.length > 0
}

export async function forceTotp(trx: Transaction, userId: string, sealedSecret: string, now: Date): Promise<void> {
  await trx
    .update(users)
    .set({ totpEnabled: true, totpSecret: sealedSecret, totpLastStep: null, updatedAt: now })
    .where(eq(users.id, userId))
}

export async function clearTwoFactor(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx
    .update(users)
    .set({ totpEnabled: false, totpSecret: null, totpLastStep: null, updatedAt: now })
    .where(eq(users.id, userId))
  await trx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** Compare-and-swap, so that each code works once. */
export async function acceptStep(trx: Transaction, userId: string, step: number): Promise<boolean> {
  const fresh = or(isNull(users.totpLastStep), lt(users.totpLastStep, step))
  const rows = await trx
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, userId), eq(users.totpEnabled, true), isNotNull(users.totpSecret), fresh))
    .returning({ id: users.id })
  return rows.length > 0
}

export async function replaceRecoveryCodes(
  trx: Transaction,
  userId: string,
  hashes: readonly string[],
  now: Date
): Promise<void> {
  await trx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await trx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ id: newId(), userId, codeHash, createdAt: now })))
}

export async function listUnusedRecoveryCodes(
  db: Queryable,
  userId: string
): Promise<{ id: string; codeHash: string }[]> {
  return db
    .select({ id: recoveryCodes.id, codeHash: recoveryCodes.codeHash })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
    .orderBy(recoveryCodes.id)
}

/** Compare-and-swap: false if the code was used in the meantime. */
export async function markRecoveryCodeUsed(trx: Transaction, id: string, now: Date): Promise<boolean> {
  const rows = await trx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.id, id), isNull(recoveryCodes.usedAt)))
    .returning({ id: recoveryCodes.id })
  return rows.length > 0
}

export async function deleteRecoveryCodesOf(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}
