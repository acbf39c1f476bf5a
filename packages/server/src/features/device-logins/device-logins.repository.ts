import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { deviceLogins } from '../../db/schema/device-logins.ts'

export type DeviceLoginRow = typeof deviceLogins.$inferSelect

export async function countDeviceLogins(db: Queryable): Promise<number> {
  return db.$count(deviceLogins)
}

export async function insertDeviceLogin(trx: Transaction, values: typeof deviceLogins.$inferInsert): Promise<void> {
  await trx.insert(deviceLogins).values(values)
}

export async function deleteExpiredDeviceLogins(trx: Transaction, now: Date): Promise<void> {
  await trx.delete(deviceLogins).where(lte(deviceLogins.expiresAt, now))
}

/** Not answered yet. */
export async function findOpenDeviceLogin(
  db: Queryable,
  userCodeHash: string,
  now: Date
): Promise<DeviceLoginRow | undefined> {
  const [row] = await db
    .select()
    .from(deviceLogins)
    .where(
      and(eq(deviceLogins.userCodeHash, userCodeHash), isNull(deviceLogins.userId), gt(deviceLogins.expiresAt, now))
    )
  return row
}

/** Undefined if it has expired or another request has answered it. */
export async function answerDeviceLogin(
  trx: Transaction,
  userCodeHash: string,
  { userId, isApproved, now }: { userId: string; isApproved: boolean; now: Date }
): Promise<DeviceLoginRow | undefined> {
  const [row] = await trx
    .update(deviceLogins)
    .set({ userId, isApproved })
    .where(
      and(eq(deviceLogins.userCodeHash, userCodeHash), isNull(deviceLogins.userId), gt(deviceLogins.expiresAt, now))
    )
    .returning()
  return row
}

export async function lockDeviceLogin(trx: Transaction, deviceCodeHash: string): Promise<DeviceLoginRow | undefined> {
  const [row] = await trx
    .select()
    .from(deviceLogins)
    .where(eq(deviceLogins.deviceCodeHash, deviceCodeHash))
    .for('update')
  return row
}

export async function markPolled(trx: Transaction, id: string, polledAt: Date): Promise<void> {
  await trx.update(deviceLogins).set({ polledAt }).where(eq(deviceLogins.id, id))
}

export async function deleteDeviceLogin(trx: Transaction, id: string): Promise<void> {
  await trx.delete(deviceLogins).where(eq(deviceLogins.id, id))
}

export async function deleteDeviceLoginsOf(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(deviceLogins).where(eq(deviceLogins.userId, userId))
}
