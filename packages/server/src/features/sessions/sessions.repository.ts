import { and, desc, eq, gt, inArray, isNull, lt, ne } from 'drizzle-orm'
import type { Role } from '@panel/contract/users'
import type { Queryable, Transaction } from '../../db/database.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'

export type SessionRow = typeof sessions.$inferSelect
export type LiveSession = Pick<SessionRow, 'userId' | 'createdAt' | 'expiresAt' | 'lastSeenAt' | 'provedAt'>

export async function insertSession(trx: Transaction, values: typeof sessions.$inferInsert): Promise<void> {
  await trx.insert(sessions).values(values)
}

export async function findLiveSession(db: Queryable, id: string, now: Date): Promise<LiveSession | undefined> {
  const { userId, createdAt, expiresAt, lastSeenAt, provedAt } = sessions
  const [row] = await db
    .select({ userId, createdAt, expiresAt, lastSeenAt, provedAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.idHash, id),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        isNull(users.suspendedAt),
        isNull(users.deletedAt)
      )
    )
  return row
}

export async function listOpenSessions(
  db: Queryable,
  ids: readonly string[],
  now: Date
): Promise<{ id: string; role: Role; expiresAt: Date }[]> {
  if (ids.length === 0) return []
  return db
    .select({ id: sessions.idHash, role: users.role, expiresAt: sessions.expiresAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        inArray(sessions.idHash, [...ids]),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        isNull(users.suspendedAt),
        isNull(users.deletedAt)
      )
    )
}

const liveOf = (userId: string, now: Date) =>
  and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now))

export async function listLiveSessions(
  db: Queryable,
  userId: string,
  now: Date,
  { page, limit }: { page: number; limit: number }
): Promise<{ rows: SessionRow[]; total: number }> {
  const rows = await db
    .select()
    .from(sessions)
    .where(liveOf(userId, now))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt), desc(sessions.idHash))
    .limit(limit)
    .offset((page - 1) * limit)
  return { rows, total: await db.$count(sessions, liveOf(userId, now)) }
}

export async function hasLiveSession(db: Queryable, userId: string, id: string, now: Date): Promise<boolean> {
  return (await db.$count(sessions, and(liveOf(userId, now), eq(sessions.idHash, id)))) > 0
}

export async function listAdministratorAddresses(db: Queryable, now: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ ip: sessions.ip })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(users.role, 'ADMIN'),
        isNull(users.suspendedAt),
        isNull(users.deletedAt),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now)
      )
    )
  return rows.flatMap(({ ip }) => (ip === null ? [] : [ip]))
}

export async function listSignInAddresses(db: Queryable, userId: string, since: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ ip: sessions.ip })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.lastSeenAt, since)))
  return rows.flatMap(({ ip }) => ip ?? [])
}

export async function listSignIns(
  db: Queryable,
  userId: string,
  since: Date
): Promise<Pick<SessionRow, 'ip' | 'userAgent'>[]> {
  return db
    .selectDistinct({ ip: sessions.ip, userAgent: sessions.userAgent })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.lastSeenAt, since)))
    .limit(1_000)
}

export async function extendSession(
  db: Queryable,
  id: string,
  { expiresAt, lastSeenAt }: Pick<SessionRow, 'expiresAt' | 'lastSeenAt'>
): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ expiresAt, lastSeenAt })
    .where(and(eq(sessions.idHash, id), isNull(sessions.revokedAt)))
    .returning({ id: sessions.idHash })
  return rows.length > 0
}

export async function markSessionProved(trx: Transaction, id: string, now: Date): Promise<void> {
  await trx.update(sessions).set({ provedAt: now }).where(eq(sessions.idHash, id))
}

/** With `userId`, only if it belongs to them. Returns the owner; undefined if not found. */
export async function markSessionRevoked(
  db: Queryable,
  id: string,
  now: Date,
  userId?: string
): Promise<string | undefined> {
  const rows = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(sessions.idHash, id),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        userId === undefined ? undefined : eq(sessions.userId, userId)
      )
    )
    .returning({ userId: sessions.userId })
  return rows[0]?.userId
}

export async function markOtherSessionsRevoked(
  trx: Transaction,
  userId: string,
  now: Date,
  keepId: string | undefined
): Promise<string[]> {
  const rows = await trx
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        keepId === undefined ? undefined : ne(sessions.idHash, keepId)
      )
    )
    .returning({ id: sessions.idHash })
  return rows.map((row) => row.id)
}

export async function hasAccount(db: Queryable, userId: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, userId), isNull(users.deletedAt)))) > 0
}

export async function dropSessionsExpiredBefore(db: Queryable, before: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, before))
}
