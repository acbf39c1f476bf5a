import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { diskCleanups, diskMeasurements } from '../../db/schema/server-disk.ts'
import { users } from '../../db/schema/users.ts'

export type MeasurementRow = typeof diskMeasurements.$inferSelect
export type CleanupRow = typeof diskCleanups.$inferSelect

export async function findMeasurement(db: Queryable, nodeId: string): Promise<MeasurementRow | undefined> {
  const [row] = await db.select().from(diskMeasurements).where(eq(diskMeasurements.nodeId, nodeId))
  return row
}

export async function saveMeasurement(db: Queryable, row: Omit<MeasurementRow, 'alerts'>): Promise<void> {
  await db.insert(diskMeasurements).values(row).onConflictDoUpdate({ target: diskMeasurements.nodeId, set: row })
}

/** Locks the row, so that two processes do not notify of the same alert. */
export async function lockAlerts(trx: Queryable, nodeId: string): Promise<string[]> {
  const [row] = await trx
    .select({ alerts: diskMeasurements.alerts })
    .from(diskMeasurements)
    .where(eq(diskMeasurements.nodeId, nodeId))
    .for('update')
  return row?.alerts ?? []
}

export async function saveAlerts(trx: Queryable, nodeId: string, alerts: string[]): Promise<void> {
  await trx.update(diskMeasurements).set({ alerts }).where(eq(diskMeasurements.nodeId, nodeId))
}

export interface ProjectPlace {
  id: string
  name: string
  uid: number
}

/** Projects of this machine with the uid of their accounts, below which their files are. */
export const listProjectPlaces = (db: Queryable, nodeId: string): Promise<ProjectPlace[]> =>
  db
    .select({ id: projects.id, name: projects.name, uid: users.uid })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(and(eq(projects.nodeId, nodeId), isNull(projects.deletedAt)))

const isOpen = inArray(diskCleanups.status, ['QUEUED', 'RUNNING'])
const keptCleanups = 20

/** Undefined if another cleanup is open. Forgets all but the latest. */
export async function insertCleanup(
  trx: Queryable,
  values: typeof diskCleanups.$inferInsert
): Promise<CleanupRow | undefined> {
  const [row] = await trx.insert(diskCleanups).values(values).onConflictDoNothing().returning()
  await trx.execute(sql`
    delete from disk_cleanups where node_id = ${values.nodeId} and id not in (
      select id from disk_cleanups where node_id = ${values.nodeId} order by created_at desc, id desc limit ${keptCleanups})`)
  return row
}

export async function findLatestCleanup(db: Queryable, nodeId: string): Promise<CleanupRow | undefined> {
  const [row] = await db
    .select()
    .from(diskCleanups)
    .where(eq(diskCleanups.nodeId, nodeId))
    .orderBy(desc(diskCleanups.createdAt), desc(diskCleanups.id))
    .limit(1)
  return row
}

export async function findOpenCleanup(db: Queryable, nodeId: string): Promise<CleanupRow | undefined> {
  const [row] = await db
    .select()
    .from(diskCleanups)
    .where(and(eq(diskCleanups.nodeId, nodeId), isOpen))
  return row
}

/** Undefined if it has ended. */
export async function updateCleanup(
  db: Queryable,
  id: string,
  values: Partial<CleanupRow>
): Promise<CleanupRow | undefined> {
  const [row] = await db
    .update(diskCleanups)
    .set(values)
    .where(and(eq(diskCleanups.id, id), isOpen))
    .returning()
  return row
}
