import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'
import { volumes } from '../../db/schema/volumes.ts'

export type VolumeRow = typeof volumes.$inferSelect

/** By name, without those that were deleted. */
export async function listVolumes(db: Queryable, projectId: string): Promise<VolumeRow[]> {
  return db
    .select()
    .from(volumes)
    .where(and(eq(volumes.projectId, projectId), isNull(volumes.deletedAt)))
    .orderBy(asc(volumes.name))
}

export async function findVolumeNamed(db: Queryable, projectId: string, name: string): Promise<VolumeRow | undefined> {
  const [row] = await db
    .select()
    .from(volumes)
    .where(and(eq(volumes.projectId, projectId), eq(volumes.name, name), isNull(volumes.deletedAt)))
  return row
}

export async function insertVolume(trx: Transaction, values: typeof volumes.$inferInsert): Promise<void> {
  await trx.insert(volumes).values(values)
}

export async function updateVolume(
  db: Queryable,
  id: string,
  values: Partial<Pick<VolumeRow, 'sizeMb' | 'filledAt' | 'overSince' | 'deletedAt' | 'updatedAt'>>
): Promise<void> {
  await db.update(volumes).set(values).where(eq(volumes.id, id))
}

export async function findFilledAt(db: Queryable, id: string): Promise<Date | null | undefined> {
  const [row] = await db.select({ filledAt: volumes.filledAt }).from(volumes).where(eq(volumes.id, id))
  return row?.filledAt
}

/** What the fill of a volume has staged must be kept. */
export async function listUnfilledIds(db: Queryable): Promise<string[]> {
  const rows = await db.select({ id: volumes.id }).from(volumes).where(isNull(volumes.filledAt))
  return rows.map(({ id }) => id)
}

/** Deleted ones whose directory may still be there; of one project, also those that were not deleted. */
export async function listLeftVolumes(db: Queryable, projectId?: string): Promise<{ id: string; uid: number }[]> {
  return db
    .select({ id: volumes.id, uid: users.uid })
    .from(volumes)
    .innerJoin(projects, eq(projects.id, volumes.projectId))
    .innerJoin(users, eq(users.id, projects.userId))
    .where(projectId === undefined ? isNotNull(volumes.deletedAt) : eq(volumes.projectId, projectId))
}

export async function forgetVolume(db: Queryable, id: string): Promise<void> {
  await db.delete(volumes).where(eq(volumes.id, id))
}

export interface MeasurableVolume extends VolumeRow {
  userId: string
  projectName: string
}

export async function listMeasurable(db: Queryable): Promise<MeasurableVolume[]> {
  const rows = await db
    .select({ volume: volumes, userId: projects.userId, projectName: projects.name })
    .from(volumes)
    .innerJoin(projects, eq(projects.id, volumes.projectId))
    .where(and(isNull(volumes.deletedAt), isNull(projects.deletedAt), isNotNull(volumes.filesName)))
    .orderBy(asc(volumes.id))
  return rows.map(({ volume, ...project }) => ({ ...volume, ...project }))
}

export async function saveUsage(db: Queryable, used: ReadonlyMap<string, number>, measuredAt: Date): Promise<void> {
  if (used.size === 0) return
  const values = JSON.stringify([...used].map(([id, bytes]) => ({ id, bytes })))
  await db
    .update(volumes)
    .set({
      measuredAt,
      usedBytes: sql`(select u.bytes from json_to_recordset(${values}::json) as u(id text, bytes bigint) where u.id = ${volumes.id})`
    })
    .where(inArray(volumes.id, [...used.keys()]))
}

/** SQL expression that equals `mountsKey` of a project's volumes. */
export const volumeIdsOf = (projectId: AnyPgColumn) =>
  sql<string>`coalesce((select string_agg(v.id, ',' order by v.id collate "C") from volumes v where v.project_id = ${projectId} and v.deleted_at is null), '')`

/**
 * Running projects whose containers mount other volumes than they should, without a deployment since their volumes
 * changed: one that failed is not repeated, unless the panel was stopped meanwhile.
 */
export async function listOutdatedMounts(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${projects.id} from ${projects}
    where ${projects.deletedAt} is null and ${projects.status} <> 'STOPPED' and ${projects.liveDeploymentId} is not null
      and ${projects.mountedVolumes} <> ${volumeIdsOf(projects.id)}
      and not exists (
        select from deployments d where d.project_id = ${projects.id}
          and coalesce(d.failure #>> '{sentences,0,code}', '') not in ('PANEL_STOPPED', 'PANEL_STOPPED_MEANWHILE') and d.created_at >= coalesce(
          (select max(greatest(v.created_at, v.deleted_at)) from volumes v where v.project_id = ${projects.id}), '-infinity'))`)
  return rows.map(({ id }) => id)
}
