import { type DeploymentStatus, openStatuses } from '@panel/contract/deployments'
import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { fileSnapshots } from '../../db/schema/file-snapshots.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'

export type SnapshotRow = typeof fileSnapshots.$inferSelect

export async function insertSnapshot(db: Queryable, values: typeof fileSnapshots.$inferInsert): Promise<void> {
  await db.insert(fileSnapshots).values(values).onConflictDoNothing()
}

/** Those before it, latest first. Not all are complete. */
export async function listEarlierSnapshots(db: Queryable, projectId: string, id: string): Promise<string[]> {
  const rows = await db
    .select({ id: fileSnapshots.id })
    .from(fileSnapshots)
    .where(and(eq(fileSnapshots.projectId, projectId), eq(fileSnapshots.isRemoved, false), ne(fileSnapshots.id, id)))
    .orderBy(desc(fileSnapshots.id))
    .limit(5)
  return rows.map((row) => row.id)
}

export const isSnapshotKept = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.$count(fileSnapshots, and(eq(fileSnapshots.id, id), eq(fileSnapshots.isRemoved, false)))) > 0

/** No deployment came of it before `before`; or no release needs it and a later snapshot took its place. */
function isStray(before: Date) {
  const open = sql.join(openStatuses.map((status) => sql`${status}`), sql`, `) // oxfmt-ignore
  const deploymentsOf = (id: unknown) =>
    sql`select 1 from deployments d where d.project_id = ${fileSnapshots.projectId} and d.snapshot->>'id' = ${id}`
  return sql<boolean>`(
    case when not exists (${deploymentsOf(fileSnapshots.id)}) then ${lt(fileSnapshots.createdAt, before)}
    else not exists (${deploymentsOf(fileSnapshots.id)} and (d.image is not null or d.status in (${open})))
      and exists (
        select 1 from file_snapshots later
        where later.project_id = ${fileSnapshots.projectId} and later.id > ${fileSnapshots.id}
          and exists (${deploymentsOf(sql`later.id`)})
      )
    end
  )`
}

/** With those of deleted projects and those whose removal broke off. */
export async function listStraySnapshots(db: Queryable, before: Date): Promise<(SnapshotRow & { uid: number })[]> {
  const rows = await db
    .select({ snapshot: fileSnapshots, uid: users.uid })
    .from(fileSnapshots)
    .innerJoin(projects, eq(projects.id, fileSnapshots.projectId))
    .innerJoin(users, eq(users.id, projects.userId))
    .where(sql`${fileSnapshots.isRemoved} or ${eq(projects.status, 'DELETED')} or ${isStray(before)}`)
    .limit(1000)
  return rows.map(({ snapshot, uid }) => ({ ...snapshot, uid }))
}

/** Resolves with false if it is needed by now. The caller holds the project lock, unless the project is deleted. */
export async function markSnapshotRemoved(trx: Transaction, id: string, before: Date): Promise<boolean> {
  const rows = await trx
    .update(fileSnapshots)
    .set({ isRemoved: true })
    .where(and(eq(fileSnapshots.id, id), sql`(${fileSnapshots.isRemoved} or ${isStray(before)})`))
    .returning({ id: fileSnapshots.id })
  return rows.length > 0
}

export async function deleteSnapshot(db: Queryable, id: string): Promise<void> {
  await db.delete(fileSnapshots).where(eq(fileSnapshots.id, id))
}

export interface PlacedDeployment {
  id: string
  status: DeploymentStatus
  updatedAt: Date
  projectId: string
  uid: number
  isLive: boolean
  isProjectDeleted: boolean
}

export async function listPlaced(db: Queryable, ids: readonly string[]): Promise<PlacedDeployment[]> {
  if (ids.length === 0) return []
  return db
    .select({
      id: deployments.id,
      status: deployments.status,
      updatedAt: deployments.updatedAt,
      projectId: projects.id,
      uid: users.uid,
      isLive: sql<boolean>`${projects.liveDeploymentId} is not distinct from ${deployments.id}`,
      isProjectDeleted: sql<boolean>`${projects.deletedAt} is not null`
    })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .innerJoin(users, eq(users.id, projects.userId))
    .where(inArray(deployments.id, [...ids]))
}

/** Of the owner, also if the project is deleted. */
export async function findProjectUid(db: Queryable, projectId: string): Promise<number | undefined> {
  const [row] = await db
    .select({ uid: users.uid })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(eq(projects.id, projectId))
  return row?.uid
}
