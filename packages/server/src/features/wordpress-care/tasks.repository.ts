import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, or, sql, sum } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/database.ts'
import { wordpressTasks } from '../../db/schema/wordpress-care.ts'

export type TaskRow = typeof wordpressTasks.$inferSelect

const expired = new Date(0)
const running = eq(wordpressTasks.status, 'RUNNING')

/** Undefined while another task of the project runs or is cleaned up. */
export async function insertTask(
  db: Queryable,
  values: typeof wordpressTasks.$inferInsert
): Promise<TaskRow | undefined> {
  const [row] = await db.insert(wordpressTasks).values(values).onConflictDoNothing().returning()
  return row
}

export async function findTask(db: Queryable, id: string): Promise<TaskRow | undefined> {
  const [row] = await db.select().from(wordpressTasks).where(eq(wordpressTasks.id, id))
  return row
}

export async function listTasks(db: Queryable, projectId: string, limit: number): Promise<TaskRow[]> {
  return db
    .select()
    .from(wordpressTasks)
    .where(eq(wordpressTasks.projectId, projectId))
    .orderBy(desc(wordpressTasks.createdAt), desc(wordpressTasks.id))
    .limit(limit)
}

export async function claimTask(db: Queryable, id: string, workerId: number, now: Date): Promise<TaskRow | undefined> {
  const [row] = await db
    .update(wordpressTasks)
    .set({ workerId, updatedAt: now })
    .where(and(eq(wordpressTasks.id, id), running, isNull(wordpressTasks.workerId)))
    .returning()
  return row
}

/** Undefined if the task has ended. */
export async function updateTask(
  db: Queryable,
  id: string,
  values: Partial<TaskRow>,
  now: Date
): Promise<TaskRow | undefined> {
  const [row] = await db
    .update(wordpressTasks)
    .set({ ...values, updatedAt: now })
    .where(and(eq(wordpressTasks.id, id), running))
    .returning()
  return row
}

export async function listRunningTasks(db: Queryable): Promise<TaskRow[]> {
  return db.select().from(wordpressTasks).where(running).orderBy(asc(wordpressTasks.createdAt))
}

export async function listUncleanedTasks(db: Queryable): Promise<TaskRow[]> {
  return db
    .select()
    .from(wordpressTasks)
    .where(and(ne(wordpressTasks.status, 'RUNNING'), eq(wordpressTasks.hasCopy, true)))
    .orderBy(asc(wordpressTasks.createdAt))
    .limit(20)
}

/** With the task that it undid, if any, which cannot be undone again. */
export async function markTaskCleaned(db: Database, { id, undoOf }: Pick<TaskRow, 'id' | 'undoOf'>): Promise<void> {
  await db.transaction(async (trx) => {
    if (undoOf !== null) await trx.update(wordpressTasks).set({ undoUntil: null }).where(eq(wordpressTasks.id, undoOf))
    await trx.update(wordpressTasks).set({ hasCopy: false }).where(eq(wordpressTasks.id, id))
  })
}

export async function listTaskIdsWithCopy(db: Queryable): Promise<string[]> {
  const rows = await db
    .select({ id: wordpressTasks.id })
    .from(wordpressTasks)
    .where(or(eq(wordpressTasks.hasCopy, true), isNotNull(wordpressTasks.undoUntil)))
  return rows.map(({ id }) => id)
}

/** Ended tasks that can be undone; of all projects, or of one. */
export async function listUndoable(db: Queryable, projectId?: string): Promise<TaskRow[]> {
  const ofProject = projectId === undefined ? undefined : eq(wordpressTasks.projectId, projectId)
  return db
    .select()
    .from(wordpressTasks)
    .where(and(isNotNull(wordpressTasks.undoUntil), ofProject))
}

export const isAnyUndoable = async (db: Queryable): Promise<boolean> =>
  (await db.$count(wordpressTasks, isNotNull(wordpressTasks.undoUntil))) > 0

/** False if they are known already. */
export async function setUndoBytes(db: Queryable, id: string, bytes: number): Promise<boolean> {
  const rows = await db
    .update(wordpressTasks)
    .set({ undoBytes: bytes })
    .where(and(eq(wordpressTasks.id, id), eq(wordpressTasks.undoBytes, 0)))
    .returning({ id: wordpressTasks.id })
  return rows.length > 0
}

/** Bytes of what is kept for undos, by account. */
export async function sumUndoBytes(db: Queryable, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ userId: wordpressTasks.userId, bytes: sum(wordpressTasks.undoBytes).mapWith(Number) })
    .from(wordpressTasks)
    .where(and(isNotNull(wordpressTasks.undoUntil), inArray(wordpressTasks.userId, [...userIds])))
    .groupBy(wordpressTasks.userId)
  return new Map(rows.map(({ userId, bytes }) => [userId, bytes]))
}

/** What is kept is removed next, which is repeated until `forgetUndo`. False while the task is being undone. */
export async function expireUndo(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .update(wordpressTasks)
    .set({ undoUntil: expired })
    .where(
      and(
        eq(wordpressTasks.id, id),
        sql`not exists (select 1 from wordpress_tasks u where u.undo_of = ${id} and (u.status = 'RUNNING' or u.has_copy))`
      )
    )
    .returning({ id: wordpressTasks.id })
  return rows.length > 0
}

export async function forgetUndo(db: Queryable, id: string): Promise<void> {
  await db.update(wordpressTasks).set({ undoUntil: null }).where(eq(wordpressTasks.id, id))
}

/** A deployment would replace the container in which the change runs. A copy waits for the first deployment of its site. */
export async function listChangingProjects(db: Queryable): Promise<string[]> {
  const rows = await db
    .select({ projectId: wordpressTasks.projectId })
    .from(wordpressTasks)
    .where(and(running, or(ne(wordpressTasks.kind, 'COPY'), ne(wordpressTasks.step, 'QUEUED'))))
  return rows.map(({ projectId }) => projectId)
}

/** Their containers are stopped while files and tables are exchanged. */
export async function listRestoredProjects(db: Queryable): Promise<string[]> {
  const rows = await db
    .select({ projectId: wordpressTasks.projectId })
    .from(wordpressTasks)
    .where(
      and(
        running,
        or(
          and(eq(wordpressTasks.step, 'RESTORING'), ne(wordpressTasks.kind, 'REPLACEMENT')),
          and(eq(wordpressTasks.step, 'CHANGING'), eq(wordpressTasks.kind, 'COPY'), eq(wordpressTasks.done, 0))
        )
      )
    )
  return rows.map(({ projectId }) => projectId)
}

export const usesDatabase = async (db: Queryable, databaseId: string): Promise<boolean> =>
  (await db.$count(wordpressTasks, and(running, eq(wordpressTasks.databaseId, databaseId)))) > 0

/** Those that have something to remove stay until it is removed. */
export async function deleteTasksOf(db: Queryable, projectId: string): Promise<void> {
  const ofProject = eq(wordpressTasks.projectId, projectId)
  await db
    .update(wordpressTasks)
    .set({ undoUntil: expired })
    .where(and(ofProject, isNotNull(wordpressTasks.undoUntil)))
  await db
    .delete(wordpressTasks)
    .where(
      and(
        ofProject,
        eq(wordpressTasks.hasCopy, false),
        isNull(wordpressTasks.undoUntil),
        inArray(wordpressTasks.status, ['SUCCEEDED', 'ROLLED_BACK', 'FAILED'])
      )
    )
}
