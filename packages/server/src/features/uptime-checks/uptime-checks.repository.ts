import type { UptimePause } from '@panel/contract/uptime-checks'
import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { uptimeChecks, uptimeIncidents } from '../../db/schema/uptime-checks.ts'
import { users } from '../../db/schema/users.ts'
import { pauseNow } from './host-facts.repository.ts'

export type UptimeCheckRow = typeof uptimeChecks.$inferSelect
export type SeenCheck = UptimeCheckRow & { pauseNow: UptimePause | null }

const seen = (db: Queryable) =>
  db
    .select({ check: uptimeChecks, pauseNow })
    .from(uptimeChecks)
    .innerJoin(projects, eq(projects.id, uptimeChecks.projectId))
    .innerJoin(users, eq(users.id, uptimeChecks.userId))
    .$dynamic()

export async function listChecks(
  db: Queryable,
  projectId: string,
  page?: { limit: number; offset: number }
): Promise<SeenCheck[]> {
  const query = seen(db)
    .where(eq(uptimeChecks.projectId, projectId))
    .orderBy(asc(uptimeChecks.createdAt), asc(uptimeChecks.id))
  const rows = await (page === undefined ? query : query.limit(page.limit).offset(page.offset))
  return rows.map(({ check, pauseNow }) => ({ ...check, pauseNow }))
}

export async function findCheck(db: Queryable, projectId: string, id: string): Promise<SeenCheck | undefined> {
  const [row] = await seen(db).where(and(eq(uptimeChecks.id, id), eq(uptimeChecks.projectId, projectId)))
  return row && { ...row.check, pauseNow: row.pauseNow }
}

export async function lockCheck(trx: Transaction, projectId: string, id: string): Promise<UptimeCheckRow | undefined> {
  const [row] = await trx
    .select()
    .from(uptimeChecks)
    .where(and(eq(uptimeChecks.id, id), eq(uptimeChecks.projectId, projectId)))
    .for('update')
  return row
}

export async function isAnyCheck(db: Queryable): Promise<boolean> {
  return (await db.select({ id: uptimeChecks.id }).from(uptimeChecks).limit(1)).length > 0
}

export async function countChecksOf(db: Queryable, userId: string): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(uptimeChecks)
    .where(eq(uptimeChecks.userId, userId))
  return row!.n
}

export async function countByState(db: Queryable): Promise<Record<string, number>> {
  const rows = await db
    .select({ state: uptimeChecks.state, n: sql<number>`count(*)::int` })
    .from(uptimeChecks)
    .groupBy(uptimeChecks.state)
  return Object.fromEntries(rows.map(({ state, n }) => [state.toLowerCase(), n]))
}

export async function insertCheck(trx: Transaction, values: typeof uptimeChecks.$inferInsert): Promise<void> {
  await trx.insert(uptimeChecks).values(values)
}

export async function updateCheck(trx: Transaction, id: string, values: Partial<UptimeCheckRow>): Promise<void> {
  await trx.update(uptimeChecks).set(values).where(eq(uptimeChecks.id, id))
}

export async function deleteCheck(trx: Transaction, id: string): Promise<void> {
  await trx.delete(uptimeChecks).where(eq(uptimeChecks.id, id))
}

export async function deleteChecksOfProject(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(uptimeChecks).where(eq(uptimeChecks.projectId, projectId))
}

/** Makes the check due, unless it has just run. Returns whether it did. */
export async function makeDue(trx: Transaction, id: string, now: Date, notSince: Date): Promise<boolean> {
  const rows = await trx
    .update(uptimeChecks)
    .set({ nextRunAt: now })
    .where(and(eq(uptimeChecks.id, id), or(isNull(uptimeChecks.takenAt), lt(uptimeChecks.takenAt, notSince))))
    .returning({ id: uptimeChecks.id })
  return rows.length > 0
}

/** Pauses checks. Open incidents end without a notification, because their outcome is unknown. */
export async function pauseChecks(
  trx: Transaction,
  pauses: readonly { id: string; pause: UptimePause }[],
  now: Date
): Promise<void> {
  for (const pause of new Set(pauses.map((one) => one.pause))) {
    const ids = pauses.filter((one) => one.pause === pause).map(({ id }) => id)
    await trx
      .update(uptimeChecks)
      .set({ state: 'PAUSED', pause, stateSince: now, recent: '', failingSince: null, lastKnownAt: null })
      .where(inArray(uptimeChecks.id, ids))
    await endIncidents(trx, ids, now)
  }
}

export async function listRestlessOf(trx: Transaction, userId: string): Promise<{ id: string; projectId: string }[]> {
  return trx
    .select({ id: uptimeChecks.id, projectId: uptimeChecks.projectId })
    .from(uptimeChecks)
    .where(and(eq(uptimeChecks.userId, userId), sql`${uptimeChecks.state} <> 'PAUSED'`))
    .for('update')
}

export async function endIncidents(trx: Transaction, checkIds: readonly string[], now: Date): Promise<void> {
  await trx
    .update(uptimeIncidents)
    .set({ endedAt: now })
    .where(and(inArray(uptimeIncidents.checkId, [...checkIds]), isNull(uptimeIncidents.endedAt)))
}
