import { and, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { openStatuses } from '@panel/contract/deployments'
import type { Queryable } from '../../db/database.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'
import { wordpressSites } from '../../db/schema/wordpress-care.ts'
import type { ProjectRow } from '../projects/project-access.ts'

export type SiteRow = typeof wordpressSites.$inferSelect

export async function findSite(db: Queryable, projectId: string): Promise<SiteRow | undefined> {
  const [row] = await db.select().from(wordpressSites).where(eq(wordpressSites.projectId, projectId))
  return row
}

export async function saveSite(
  db: Queryable,
  projectId: string,
  values: Partial<Omit<SiteRow, 'projectId'>>
): Promise<void> {
  await db
    .insert(wordpressSites)
    .values({ projectId, ...values })
    .onConflictDoUpdate({ target: wordpressSites.projectId, set: values })
}

/** Neither stopped, asleep, being deployed, nor in the middle of an update or import. */
const isServing = and(
  eq(projects.type, 'WORDPRESS'),
  eq(projects.status, 'ACTIVE'),
  isNull(projects.deletedAt),
  isNotNull(projects.containerId),
  isNull(projects.asleepSince),
  sql`not exists (select 1 from deployments d where d.project_id = ${projects.id} and d.status in (${sql.join(openStatuses.map((status) => sql`${status}`), sql`, `)}))`, // oxfmt-ignore
  sql`not exists (select 1 from wordpress_tasks t where t.project_id = ${projects.id} and (t.status = 'RUNNING' or t.has_copy))`,
  sql`not exists (select 1 from wordpress_imports i where i.project_id = ${projects.id} and i.status = 'RUNNING')`
)

const isCheckDue = (now: Date | SQL) => or(isNull(wordpressSites.cronAt), lte(wordpressSites.cronAt, now))

export async function isAnyCheckDue(db: Queryable): Promise<boolean> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .leftJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .where(and(isServing, isCheckDue(sql`now()`)))
    .limit(1)
  return rows.length > 0
}

export async function isSiteServing(db: Queryable, projectId: string): Promise<boolean> {
  return (await db.$count(projects, and(isServing, eq(projects.id, projectId)))) > 0
}

/** Sites whose events are looked at now, those that waited longest first. */
export async function listSitesToCheck(db: Queryable, now: Date, limit: number): Promise<ProjectRow[]> {
  const rows = await db
    .select({ project: projects })
    .from(projects)
    .leftJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .where(and(isServing, isCheckDue(now)))
    .orderBy(sql`${wordpressSites.cronAt} nulls first`)
    .limit(limit)
  return rows.map(({ project }) => project)
}

/** False if another process was first. */
export async function claimCheck(db: Queryable, projectId: string, now: Date, next: Date): Promise<boolean> {
  const rows = await db
    .insert(wordpressSites)
    .values({ projectId, cronAt: next })
    .onConflictDoUpdate({
      target: wordpressSites.projectId,
      set: { cronAt: next },
      setWhere: isCheckDue(now)
    })
    .returning({ projectId: wordpressSites.projectId })
  return rows.length > 0
}

const isUpdateDue = (now: Date) => lte(wordpressSites.nextUpdateAt, now)

export const isAnyUpdateDue = async (db: Queryable): Promise<boolean> =>
  (await db.$count(wordpressSites, sql`${wordpressSites.nextUpdateAt} <= now()`)) > 0

export async function listSitesToUpdate(
  db: Queryable,
  now: Date,
  limit: number
): Promise<{ project: ProjectRow; site: SiteRow }[]> {
  return db
    .select({ project: projects, site: wordpressSites })
    .from(wordpressSites)
    .innerJoin(projects, eq(projects.id, wordpressSites.projectId))
    .where(and(isUpdateDue(now), isNull(projects.deletedAt)))
    .orderBy(wordpressSites.nextUpdateAt)
    .limit(limit)
}

/** False if another process was first. */
export async function claimUpdate(db: Queryable, projectId: string, now: Date, next: Date): Promise<boolean> {
  const rows = await db
    .update(wordpressSites)
    .set({ nextUpdateAt: next })
    .where(and(eq(wordpressSites.projectId, projectId), isUpdateDue(now)))
    .returning({ projectId: wordpressSites.projectId })
  return rows.length > 0
}

export async function isBeingDeployed(db: Queryable, projectId: string): Promise<boolean> {
  const open = and(eq(deployments.projectId, projectId), inArray(deployments.status, [...openStatuses]))
  return (await db.$count(deployments, open)) > 0
}

/** Staging copies of a site that exist. */
export async function listStagingCopies(db: Queryable, projectId: string): Promise<ProjectRow[]> {
  const rows = await db
    .select({ project: projects })
    .from(wordpressSites)
    .innerJoin(projects, eq(projects.id, wordpressSites.projectId))
    .where(and(eq(wordpressSites.stagingOf, projectId), isNull(projects.deletedAt)))
    .orderBy(projects.createdAt)
    .limit(100)
  return rows.map(({ project }) => project)
}

export async function deleteSite(db: Queryable, projectId: string): Promise<void> {
  await db.delete(wordpressSites).where(eq(wordpressSites.projectId, projectId))
}
