import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { Project, type ProjectQuery } from '@panel/contract/projects'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { queryPrepared } from '../../db/prepared-rows.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'

export type ProjectRow = typeof projects.$inferSelect

const live = ne(projects.status, 'DELETED')

export async function findProject(db: Queryable, id: string): Promise<ProjectRow | undefined> {
  const [row] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), live))
  return row
}

/** One of that name, whoever's it is. */
export async function findProjectNamed(db: Queryable, name: string): Promise<ProjectRow | undefined> {
  const [row] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.name, name), live))
  return row
}

/** Locks the row: the switch of a deployment, a container action and a deletion wait for each other here. */
export async function lockProject(trx: Transaction, id: string): Promise<ProjectRow | undefined> {
  const [row] = await trx
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), live))
    .for('update')
  return row
}

/** Those that have something live. */
export async function listDeployedProjects(db: Queryable): Promise<ProjectRow[]> {
  return db
    .select()
    .from(projects)
    .where(and(isNotNull(projects.liveDeploymentId), live))
}

/** Of the user's projects that are not deleted. */
export async function listProjectIds(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), live))
    .orderBy(projects.id)
  return rows.map((row) => row.id)
}

/** Undefined when the user has a live project of that name. */
export async function insertProject(
  trx: Transaction,
  values: typeof projects.$inferInsert
): Promise<ProjectRow | undefined> {
  const [row] = await trx.insert(projects).values(values).onConflictDoNothing().returning()
  return row
}

export async function updateProject(
  db: Queryable,
  id: string,
  values: Partial<ProjectRow>,
  now: Date
): Promise<ProjectRow | undefined> {
  const [row] = await db
    .update(projects)
    .set({ ...values, updatedAt: now })
    .where(and(eq(projects.id, id), live))
    .returning()
  return row
}

export async function markProjectDeleted(trx: Transaction, id: string, now: Date): Promise<void> {
  await trx
    .update(projects)
    .set({
      status: 'DELETED',
      deletedAt: now,
      updatedAt: now,
      liveDeploymentId: null,
      containerId: null,
      containerStatus: null,
      internalPort: null,
      webhookSecret: null
    })
    .where(eq(projects.id, id))
}

const listedColumns = (Object.keys(Project.shape) as (keyof Project)[])
  .map((member) => `${member === 'webhookSecret' ? 'null' : `"${projects[member].name}"`} as "${member}"`)
  .join(', ')

const page = {
  name: 'project_list',
  text: `select ${listedColumns} from projects where user_id = $1 and deleted_at is null
    order by created_at desc, id desc limit $2 offset $3`
}

const total = { name: 'project_total', text: 'select project_count as total from users where id = $1' }

/**
 * The hot list: its rows come as their owner sees them in a list, without the secret of the webhook. The total is the counter on the
 * user's row.
 */
export async function listProjects(
  db: Database,
  userId: string,
  { limit, offset }: { limit: number; offset: number }
): Promise<{ rows: Project[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    queryPrepared<Project>(db, page, [userId, limit, offset]),
    queryPrepared<{ total: number }>(db, total, [userId])
  ])
  return { rows, total: counted?.total ?? 0 }
}

export async function searchProjects(
  db: Queryable,
  userId: string,
  query: ProjectQuery
): Promise<{ rows: ProjectRow[]; total: number }> {
  const conditions: (SQL | undefined)[] = [
    eq(projects.userId, userId),
    query.status === 'DELETED' ? eq(projects.status, 'DELETED') : isNull(projects.deletedAt),
    query.status === undefined ? undefined : eq(projects.status, query.status),
    query.type === undefined ? undefined : eq(projects.type, query.type),
    query.search === undefined ? undefined : sql`strpos(lower(${projects.name}), ${query.search.toLowerCase()}) > 0`
  ]
  const where = and(...conditions)
  const [rows, counted] = await Promise.all([
    db
      .select()
      .from(projects)
      .where(where)
      .orderBy(desc(projects.createdAt), desc(projects.id))
      .limit(query.limit)
      .offset((query.page - 1) * query.limit),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(projects)
      .where(where)
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

/** Of these accounts together, by the counter on each row. */
export async function sumProjectCounts(db: Queryable, ids: readonly string[]): Promise<number> {
  const [row] = await db
    .select({ sum: sql<number>`coalesce(sum(${users.projectCount}), 0)::int` })
    .from(users)
    .where(sql`${users.id} = any(${sql.param([...ids])})`)
  return row!.sum
}

/** The caller holds the lock of the account. */
export async function addToProjectCount(trx: Transaction, id: string, difference: 1 | -1): Promise<void> {
  await trx
    .update(users)
    .set({ projectCount: sql`${users.projectCount} + ${difference}` })
    .where(eq(users.id, id))
}

/**
 * Stops an account's projects by their rows, and remembers which ones it stopped; reconcile stops the containers. The caller holds the
 * account's lock.
 */
export async function stopProjectsOf(trx: Transaction, userId: string, now: Date): Promise<void> {
  // All of them, stopped ones too: whoever is just queueing a deployment holds one of these locks and is waited for.
  await trx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, userId), live))
    .orderBy(asc(projects.id))
    .for('update')
  await trx
    .update(projects)
    .set({ status: 'STOPPED', stoppedBySuspension: true, updatedAt: now })
    .where(and(eq(projects.userId, userId), inArray(projects.status, ['ACTIVE', 'CREATING'])))
}

/** Starts again what `stopProjectsOf` stopped; what was stopped before stays so. */
export async function resumeProjectsOf(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx
    .update(projects)
    .set({ status: 'ACTIVE', stoppedBySuspension: false, updatedAt: now })
    .where(and(eq(projects.userId, userId), eq(projects.stoppedBySuspension, true), eq(projects.status, 'STOPPED')))
}
