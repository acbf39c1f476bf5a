import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/database.ts'
import { figures } from '../../db/schema/figures.ts'

export interface FigurePoint {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

/** Idempotent: a job that runs again overwrites its own sample. */
export async function saveFigures(
  db: Queryable,
  nodeId: string,
  recordedAt: Date,
  points: readonly FigurePoint[]
): Promise<void> {
  if (points.length === 0) return
  await db
    .insert(figures)
    .values(points.map((point) => ({ nodeId, recordedAt, ...point })))
    .onConflictDoUpdate({
      target: [figures.recordedAt, figures.nodeId, figures.name, figures.labels],
      set: { value: sql`excluded.value` }
    })
}

/** The latest sample of a node; empty if it is from before `after`. */
export async function latestFigures(db: Queryable, nodeId: string, after: Date): Promise<FigurePoint[]> {
  const last = db
    .select({ recordedAt: figures.recordedAt })
    .from(figures)
    .where(and(eq(figures.nodeId, nodeId), gt(figures.recordedAt, after)))
    .orderBy(desc(figures.recordedAt))
    .limit(1)
  return db
    .select({ name: figures.name, labels: figures.labels, value: figures.value })
    .from(figures)
    .where(and(eq(figures.nodeId, nodeId), eq(figures.recordedAt, last)))
}

export async function listFigures(
  db: Queryable,
  nodeId: string,
  { after, until, minutes }: { after: Date; until: Date; minutes: number }
): Promise<(FigurePoint & { recordedAt: Date })[]> {
  const bucket = sql<string>`date_bin(make_interval(mins => ${minutes}::int), ${figures.recordedAt}, 'epoch')`
  const rows = await db
    .select({ name: figures.name, labels: figures.labels, at: bucket, value: sql<number>`avg(${figures.value})` })
    .from(figures)
    .where(
      and(
        eq(figures.nodeId, nodeId),
        gt(figures.recordedAt, after),
        sql`${figures.recordedAt} <= ${until.toISOString()}`
      )
    )
    .groupBy(sql`1, 2, 3`)
    .orderBy(sql`1, 2, 3`)
  return rows.map(({ at, ...row }) => ({ ...row, recordedAt: new Date(at) }))
}

export const deleteFigures = (db: Database, before: Date) => db.delete(figures).where(lt(figures.recordedAt, before))
