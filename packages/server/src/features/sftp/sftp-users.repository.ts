import { and, eq, isNotNull, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { sftpUsers } from '../../db/schema/sftp-users.ts'
import { users } from '../../db/schema/users.ts'

export type SftpUserRow = typeof sftpUsers.$inferSelect

interface SftpAccountRow extends SftpUserRow {
  uid: number
  isSuspended: boolean
}

export async function findSftpUser(db: Queryable, userId: string): Promise<SftpUserRow | undefined> {
  const [row] = await db
    .select()
    .from(sftpUsers)
    .where(and(eq(sftpUsers.userId, userId), isNull(sftpUsers.removedAt)))
  return row
}

export async function findSftpAccount(db: Queryable, id: string): Promise<SftpAccountRow | undefined> {
  const [row] = await db
    .select({ account: sftpUsers, uid: users.uid, suspendedAt: users.suspendedAt })
    .from(sftpUsers)
    .innerJoin(users, eq(users.id, sftpUsers.userId))
    .where(eq(sftpUsers.id, id))
  return row && { ...row.account, uid: row.uid, isSuspended: row.suspendedAt !== null }
}

export async function insertSftpUser(
  trx: Transaction,
  values: typeof sftpUsers.$inferInsert
): Promise<SftpUserRow | undefined> {
  const [row] = await trx.insert(sftpUsers).values(values).onConflictDoNothing({ target: sftpUsers.userId }).returning()
  return row
}

export async function updateSftpUser(
  trx: Transaction,
  id: string,
  values: Partial<Pick<SftpUserRow, 'encryptedPassword' | 'sshPublicKeys' | 'isEnabled'>>,
  now: Date
): Promise<SftpUserRow> {
  const [row] = await trx
    .update(sftpUsers)
    .set({ ...values, revision: sql`${sftpUsers.revision} + 1`, updatedAt: now })
    .where(eq(sftpUsers.id, id))
    .returning()
  return row!
}

/** Schedules an apply after the user was suspended or resumed. Resolves with the id, if there is an account. */
export async function touchSftpUser(trx: Transaction, userId: string): Promise<string | undefined> {
  const [row] = await trx
    .update(sftpUsers)
    .set({ revision: sql`${sftpUsers.revision} + 1` })
    .where(and(eq(sftpUsers.userId, userId), isNull(sftpUsers.removedAt)))
    .returning({ id: sftpUsers.id })
  return row?.id
}

export async function markSftpUserRemoved(trx: Transaction, userId: string, now: Date): Promise<string | undefined> {
  const [row] = await trx
    .update(sftpUsers)
    .set({ removedAt: now, encryptedPassword: '', sshPublicKeys: [] })
    .where(eq(sftpUsers.userId, userId))
    .returning({ id: sftpUsers.id })
  return row?.id
}

export async function deleteSftpUser(db: Queryable, id: string): Promise<void> {
  await db.delete(sftpUsers).where(eq(sftpUsers.id, id))
}

/** Records the applied revision; a concurrent change has a higher one and stays pending. */
export async function recordApplied(db: Queryable, id: string, revision: number): Promise<void> {
  await db
    .update(sftpUsers)
    .set({ appliedRevision: revision })
    .where(and(eq(sftpUsers.id, id), lt(sftpUsers.appliedRevision, revision)))
}

/** A random sample of accounts that need an apply, so that one that keeps failing does not block the others. */
export async function listOutdatedSftpUsers(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: sftpUsers.id })
    .from(sftpUsers)
    .where(or(ne(sftpUsers.appliedRevision, sftpUsers.revision), isNotNull(sftpUsers.removedAt)))
    .orderBy(sql`random()`)
    .limit(limit)
  return rows.map((row) => row.id)
}

export async function listLinuxUsernames(db: Queryable): Promise<string[]> {
  const rows = await db.select({ name: sftpUsers.linuxUsername }).from(sftpUsers)
  return rows.map((row) => row.name)
}

export async function markUnappliedExcept(db: Queryable, linuxUsernames: readonly string[]): Promise<void> {
  await db
    .update(sftpUsers)
    .set({ appliedRevision: 0 })
    .where(notInArray(sftpUsers.linuxUsername, [...linuxUsernames]))
}
