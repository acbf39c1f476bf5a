import { and, eq, isNotNull, isNull, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { sftpUsers } from '../../db/schema/sftp-users.ts'
import { users } from '../../db/schema/users.ts'

export type SftpUserRow = typeof sftpUsers.$inferSelect

/** With what the account of the machine depends on besides. */
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

/** Undefined where the user has one already. */
export async function insertSftpUser(
  trx: Transaction,
  values: typeof sftpUsers.$inferInsert
): Promise<SftpUserRow | undefined> {
  const [row] = await trx.insert(sftpUsers).values(values).onConflictDoNothing({ target: sftpUsers.userId }).returning()
  return row
}

/** Counts as a change that the machine has to be given. */
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

/** Its user is suspended or goes on: the machine has to be told. Resolves with the id, if there is an account. */
export async function touchSftpUser(trx: Transaction, userId: string): Promise<string | undefined> {
  const [row] = await trx
    .update(sftpUsers)
    .set({ revision: sql`${sftpUsers.revision} + 1` })
    .where(and(eq(sftpUsers.userId, userId), isNull(sftpUsers.removedAt)))
    .returning({ id: sftpUsers.id })
  return row?.id
}

/** The row stays until the account of the machine is gone. Resolves with the id, if there is an account. */
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

/** A change that came meanwhile is another revision, and stays to be applied. */
export async function recordApplied(db: Queryable, id: string, revision: number): Promise<void> {
  await db
    .update(sftpUsers)
    .set({ appliedRevision: revision })
    .where(and(eq(sftpUsers.id, id), lt(sftpUsers.appliedRevision, revision)))
}

/** Some of those that the machine lags behind: no order, so that one that cannot be applied holds up no other. */
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

/** All but these are to be applied anew. */
export async function markUnappliedExcept(db: Queryable, linuxUsernames: readonly string[]): Promise<void> {
  await db
    .update(sftpUsers)
    .set({ appliedRevision: 0 })
    .where(notInArray(sftpUsers.linuxUsername, [...linuxUsernames]))
}
