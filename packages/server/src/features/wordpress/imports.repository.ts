import { and, asc, desc, eq, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { wordpressTasks } from '../../db/schema/wordpress-care.ts'
import { wordpressImports } from '../../db/schema/wordpress-imports.ts'

export type ImportRow = typeof wordpressImports.$inferSelect

const running = eq(wordpressImports.status, 'RUNNING')

/** Undefined when another import of the project is running. */
export async function insertImport(
  db: Queryable,
  values: typeof wordpressImports.$inferInsert
): Promise<ImportRow | undefined> {
  const [row] = await db.insert(wordpressImports).values(values).onConflictDoNothing().returning()
  return row
}

export async function findImport(db: Queryable, id: string): Promise<ImportRow | undefined> {
  const [row] = await db.select().from(wordpressImports).where(eq(wordpressImports.id, id))
  return row
}

/** Imports whose files in the staging area are still needed. */
export async function listWithStaging(db: Queryable): Promise<string[]> {
  const rows = await db
    .select({ id: wordpressImports.id })
    .from(wordpressImports)
    .where(or(running, isNotNull(wordpressImports.stagingDatabase)))
  return rows.map(({ id }) => id)
}

export async function findLatestImport(db: Queryable, projectId: string): Promise<ImportRow | undefined> {
  const [row] = await db
    .select()
    .from(wordpressImports)
    .where(eq(wordpressImports.projectId, projectId))
    .orderBy(desc(wordpressImports.createdAt), desc(wordpressImports.id))
    .limit(1)
  return row
}

export async function claimImport(
  db: Queryable,
  id: string,
  workerId: number,
  now: Date
): Promise<ImportRow | undefined> {
  const [row] = await db
    .update(wordpressImports)
    .set({ workerId, updatedAt: now })
    .where(
      and(
        eq(wordpressImports.id, id),
        running,
        ne(wordpressImports.step, 'RECEIVING'),
        isNull(wordpressImports.workerId)
      )
    )
    .returning()
  return row
}

export async function updateImport(
  db: Queryable,
  id: string,
  values: Partial<ImportRow>,
  now: Date
): Promise<ImportRow | undefined> {
  const [row] = await db
    .update(wordpressImports)
    .set({ ...values, updatedAt: now })
    .where(and(eq(wordpressImports.id, id), running))
    .returning()
  return row
}

export async function releaseImport(db: Queryable, id: string, workerId: number, now: Date): Promise<void> {
  await db
    .update(wordpressImports)
    .set({ workerId: null, updatedAt: now })
    .where(and(eq(wordpressImports.id, id), running, eq(wordpressImports.workerId, workerId)))
}

export async function isImportedInto(db: Queryable, databaseId: string): Promise<boolean> {
  return (await db.$count(wordpressImports, and(running, eq(wordpressImports.databaseId, databaseId)))) > 0
}

export async function countRunningImports(db: Queryable, userId: string): Promise<number> {
  return db.$count(wordpressImports, and(running, eq(wordpressImports.userId, userId)))
}

/** Updates of a site and imports into it exchange the same files and tables. */
export async function isBeingChanged(db: Queryable, projectId: string): Promise<boolean> {
  const open = or(eq(wordpressTasks.status, 'RUNNING'), eq(wordpressTasks.hasCopy, true))
  return (await db.$count(wordpressTasks, and(eq(wordpressTasks.projectId, projectId), open))) > 0
}

export async function listSwappingProjects(db: Queryable): Promise<string[]> {
  const rows = await db
    .select({ projectId: wordpressImports.projectId })
    .from(wordpressImports)
    .where(and(running, eq(wordpressImports.step, 'SWAPPING')))
  return rows.map(({ projectId }) => projectId)
}

export async function listRunningImports(db: Queryable): Promise<ImportRow[]> {
  return db.select().from(wordpressImports).where(running).orderBy(asc(wordpressImports.createdAt))
}

export async function listUncleanedImports(db: Queryable, limit: number): Promise<ImportRow[]> {
  return db
    .select()
    .from(wordpressImports)
    .where(and(ne(wordpressImports.status, 'RUNNING'), isNotNull(wordpressImports.stagingDatabase)))
    .orderBy(asc(wordpressImports.updatedAt))
    .limit(limit)
}

export async function markCleanedUp(db: Queryable, id: string): Promise<void> {
  await db.update(wordpressImports).set({ stagingDatabase: null }).where(eq(wordpressImports.id, id))
}
