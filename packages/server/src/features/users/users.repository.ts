import { eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { users } from '../../db/schema.ts'

export type UserRow = typeof users.$inferSelect

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
  return row
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row
}

/** Undefined when the e-mail address is taken. */
export async function insertUser(trx: Transaction, values: typeof users.$inferInsert): Promise<UserRow | undefined> {
  const [row] = await trx.insert(users).values(values).onConflictDoNothing().returning()
  return row
}

export async function anyUserExists(db: Queryable): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).limit(1)
  return rows.length > 0
}

/** One first user at a time: of racing registrations on an empty store the lock lets one see it empty. */
export async function lockFirstUser(trx: Transaction): Promise<void> {
  await trx.execute(sql`select pg_advisory_xact_lock(7236243)`)
}

export async function updatePasswordHash(trx: Transaction, id: string, passwordHash: string, now: Date): Promise<void> {
  await trx.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, id))
}

/** Locks the account: whatever counts its projects or quotas waits here. */
export async function lockUser(trx: Transaction, id: string): Promise<UserRow | undefined> {
  const [row] = await trx.select().from(users).where(eq(users.id, id)).for('update')
  return row
}

export async function addToProjectCount(trx: Transaction, id: string, difference: 1 | -1): Promise<void> {
  await trx
    .update(users)
    .set({ projectCount: sql`${users.projectCount} + ${difference}` })
    .where(eq(users.id, id))
}
