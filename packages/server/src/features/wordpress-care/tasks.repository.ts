import { and, asc, desc, eq, inArray, isNull, ne, or } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { wordpressTasks } from '../../db/schema/wordpress-care.ts'

export type TaskRow = typeof wordpressTasks.$inferSelect

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

export async function markTaskCleaned(db: Queryable, id: string): Promise<void> {
  await db.update(wordpressTasks).set({ hasCopy: false }).where(eq(wordpressTasks.id, id))
}

export async function listTaskIdsWithCopy(db: Queryable): Promise<string[]> {
  const rows = await db.select({ id: wordpressTasks.id }).from(wordpressTasks).where(eq(wordpressTasks.hasCopy, true))
  return rows.map(({ id }) => id)
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

export async function deleteTasksOf(db: Queryable, projectId: string): Promise<void> {
  await db
    .delete(wordpressTasks)
    .where(
      and(
        eq(wordpressTasks.projectId, projectId),
        eq(wordpressTasks.hasCopy, false),
        inArray(wordpressTasks.status, ['SUCCEEDED', 'ROLLED_BACK', 'FAILED'])
      )
    )
}
