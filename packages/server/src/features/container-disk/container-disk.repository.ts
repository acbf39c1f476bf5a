import { and, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { containerDisk } from '../../db/schema/container-disk.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'

export type ContainerDiskRow = typeof containerDisk.$inferSelect
export type MeasuredContainer = Omit<ContainerDiskRow, 'warnedAt'>

/** Without any deployment, no account has a container. */
export const isAnyDeployment = async (db: Queryable): Promise<boolean> =>
  (await db.select({ id: deployments.id }).from(deployments).limit(1)).length > 0

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

/** With the limit of its project, or that of the server. */
export type LimitedContainer = ContainerDiskRow & { limitBytes: number }

const limitedBy = (server: number) =>
  sql<number>`coalesce((${projects.size} ->> 'diskMb')::bigint * 1048576, ${server}::bigint)`.mapWith(Number)

/** Containers above this part of a limit. */
export async function listAbove(
  db: Queryable,
  limits: { bytes: number; files: number },
  part: number
): Promise<LimitedContainer[]> {
  const limitBytes = limitedBy(limits.bytes)
  const rows = await db
    .select({ container: containerDisk, limitBytes })
    .from(containerDisk)
    .innerJoin(projects, eq(projects.id, containerDisk.projectId))
    .where(
      or(
        sql`${containerDisk.bytes} > floor(${limitBytes} * ${part}::numeric)`,
        gt(containerDisk.files, Math.floor(limits.files * part))
      )
    )
  return rows.map(({ container, limitBytes: own }) => ({ ...container, limitBytes: own }))
}

/** In bytes, of the projects that have a limit of their own. */
export async function listOwnLimits(db: Queryable, projectIds: readonly string[]): Promise<Map<string, number>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .select({ id: projects.id, limitBytes: limitedBy(0) })
    .from(projects)
    .where(and(inArray(projects.id, [...projectIds]), sql`${projects.size} ->> 'diskMb' is not null`))
  return new Map(rows.map(({ id, limitBytes }) => [id, limitBytes]))
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

export async function listWarned(db: Queryable, userId: string, serverBytes: number): Promise<LimitedContainer[]> {
  const rows = await db
    .select({ container: containerDisk, limitBytes: limitedBy(serverBytes) })
    .from(containerDisk)
    .innerJoin(projects, eq(projects.id, containerDisk.projectId))
    .where(and(eq(projects.userId, userId), isNotNull(containerDisk.warnedAt)))
    .orderBy(containerDisk.containerId)
  return rows.map(({ container, limitBytes }) => ({ ...container, limitBytes }))
}
