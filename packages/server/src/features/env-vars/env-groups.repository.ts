import { and, asc, count, eq, inArray, isNull } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { envGroups, envVars, projectEnvGroups } from '../../db/schema/env-vars.ts'
import { projects } from '../../db/schema/projects.ts'

export type EnvGroupRow = typeof envGroups.$inferSelect

/** Undefined if the account has a group of that name. */
export async function insertEnvGroup(
  trx: Transaction,
  values: typeof envGroups.$inferInsert
): Promise<EnvGroupRow | undefined> {
  const [row] = await trx.insert(envGroups).values(values).onConflictDoNothing().returning()
  return row
}

export async function findEnvGroup(db: Queryable, id: string, userId: string): Promise<EnvGroupRow | undefined> {
  const [row] = await db
    .select()
    .from(envGroups)
    .where(and(eq(envGroups.id, id), eq(envGroups.userId, userId)))
  return row
}

/** In the order of their ids, so that two transactions cannot wait for each other. */
export async function lockEnvGroups(trx: Transaction, ids: readonly string[]): Promise<EnvGroupRow[]> {
  if (ids.length === 0) return []
  return trx
    .select()
    .from(envGroups)
    .where(inArray(envGroups.id, [...ids]))
    .orderBy(asc(envGroups.id))
    .for('update')
}

export const countEnvGroups = (db: Queryable, userId: string): Promise<number> =>
  db.$count(envGroups, eq(envGroups.userId, userId))

export async function listEnvGroups(
  db: Queryable,
  userId: string
): Promise<(EnvGroupRow & { variables: number; projects: { id: string; name: string }[] })[]> {
  const groups = await db.select().from(envGroups).where(eq(envGroups.userId, userId)).orderBy(asc(envGroups.name))
  if (groups.length === 0) return []
  const ids = groups.map(({ id }) => id)
  const counts = await db
    .select({ id: envVars.groupId, n: count() })
    .from(envVars)
    .where(inArray(envVars.groupId, ids))
    .groupBy(envVars.groupId)
  const attached = await listAttachedProjects(db, ids)
  return groups.map((group) => ({
    ...group,
    variables: counts.find(({ id }) => id === group.id)?.n ?? 0,
    projects: attached.filter(({ groupId }) => groupId === group.id).map(({ id, name }) => ({ id, name }))
  }))
}

export interface AttachedProject {
  groupId: string
  id: string
  name: string
  liveDeploymentId: string | null
}

export async function listAttachedProjects(db: Queryable, groupIds: readonly string[]): Promise<AttachedProject[]> {
  return db
    .select({
      groupId: projectEnvGroups.groupId,
      id: projects.id,
      name: projects.name,
      liveDeploymentId: projects.liveDeploymentId
    })
    .from(projectEnvGroups)
    .innerJoin(projects, and(eq(projects.id, projectEnvGroups.projectId), isNull(projects.deletedAt)))
    .where(inArray(projectEnvGroups.groupId, [...groupIds]))
    .orderBy(asc(projects.name))
}

/** By precedence. */
export async function listGroupsOfProject(db: Queryable, projectId: string): Promise<EnvGroupRow[]> {
  return (await listGroupsOfProjects(db, [projectId])).map(({ group }) => group)
}

/** By precedence within each project. */
export async function listGroupsOfProjects(
  db: Queryable,
  projectIds: readonly string[]
): Promise<{ projectId: string; group: EnvGroupRow }[]> {
  return db
    .select({ projectId: projectEnvGroups.projectId, group: envGroups })
    .from(projectEnvGroups)
    .innerJoin(envGroups, eq(envGroups.id, projectEnvGroups.groupId))
    .where(inArray(projectEnvGroups.projectId, [...projectIds]))
    .orderBy(asc(projectEnvGroups.position))
}

/** The caller holds the project lock. */
export async function replaceGroupsOfProject(
  trx: Transaction,
  projectId: string,
  groupIds: readonly string[]
): Promise<void> {
  await trx.delete(projectEnvGroups).where(eq(projectEnvGroups.projectId, projectId))
  if (groupIds.length === 0) return
  await trx.insert(projectEnvGroups).values(groupIds.map((groupId, position) => ({ projectId, groupId, position })))
}

export async function touchEnvGroup(trx: Transaction, id: string, now: Date): Promise<void> {
  await trx.update(envGroups).set({ updatedAt: now }).where(eq(envGroups.id, id))
}

export async function deleteEnvGroup(trx: Transaction, id: string): Promise<void> {
  await trx.delete(envGroups).where(eq(envGroups.id, id))
}

export async function deleteEnvGroupsOf(trx: Transaction, userId: string): Promise<void> {
  await trx.delete(envGroups).where(eq(envGroups.userId, userId))
}
