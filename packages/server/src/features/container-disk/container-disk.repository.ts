import { and, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { containerDisk } from '../../db/schema/container-disk.ts'
import { projects } from '../../db/schema/projects.ts'

export type ContainerDiskRow = typeof containerDisk.$inferSelect
export type MeasuredContainer = Omit<ContainerDiskRow, 'warnedAt'>

/** Replaces all rows. `files: null` means not counted: the previous count stays. */
export async function saveContainers(db: Database, containers: readonly MeasuredContainer[]): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.execute(sql`
      insert into container_disk (container_id, project_id, deployment_id, bytes, files)
      select c."containerId", p.id, c."deploymentId", c.bytes, c.files
      from json_to_recordset(${JSON.stringify(containers)}::json)
        as c("containerId" text, "projectId" text, "deploymentId" text, bytes bigint, files bigint)
      join projects p on p.id = c."projectId"
      order by c."containerId"
      on conflict (container_id) do update
        set bytes = excluded.bytes, files = coalesce(excluded.files, container_disk.files)
        where container_disk.bytes <> excluded.bytes or container_disk.files is distinct from excluded.files`)
    await trx.execute(sql`
      delete from container_disk where container_id not in (
        select value from json_array_elements_text(${JSON.stringify(containers.map(({ containerId }) => containerId))}::json))`)
  })
}

export async function listAbove(db: Queryable, limits: { bytes: number; files: number }): Promise<ContainerDiskRow[]> {
  return db
    .select()
    .from(containerDisk)
    .where(or(gt(containerDisk.bytes, limits.bytes), gt(containerDisk.files, limits.files)))
}

/** Compare-and-swap: false if it was already marked or the container is gone. */
export async function markWarned(trx: Transaction, containerId: string, at: Date): Promise<boolean> {
  const { rowCount } = await trx
    .update(containerDisk)
    .set({ warnedAt: at })
    .where(and(eq(containerDisk.containerId, containerId), isNull(containerDisk.warnedAt)))
  return rowCount === 1
}

export async function sumByAccount(db: Queryable, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ userId: projects.userId, bytes: sql<string>`sum(${containerDisk.bytes})` })
    .from(containerDisk)
    .innerJoin(projects, eq(projects.id, containerDisk.projectId))
    .where(inArray(projects.userId, [...userIds]))
    .groupBy(projects.userId)
  return new Map(rows.map(({ userId, bytes }) => [userId, Number(bytes)]))
}

export async function sumContainers(db: Queryable): Promise<number> {
  const [row] = await db.select({ bytes: sql<string>`coalesce(sum(${containerDisk.bytes}), 0)` }).from(containerDisk)
  return Number(row!.bytes)
}

export async function listWarned(db: Queryable, userId: string): Promise<ContainerDiskRow[]> {
  const rows = await db
    .select({ container: containerDisk })
    .from(containerDisk)
    .innerJoin(projects, eq(projects.id, containerDisk.projectId))
    .where(and(eq(projects.userId, userId), isNotNull(containerDisk.warnedAt)))
    .orderBy(containerDisk.containerId)
  return rows.map(({ container }) => container)
}
