import { and, asc, count, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { scheduledJobs } from '../../db/schema/runs.ts'
import { users } from '../../db/schema/users.ts'

export type ScheduledJobRow = typeof scheduledJobs.$inferSelect

export async function insertScheduledJob(trx: Transaction, values: typeof scheduledJobs.$inferInsert) {
  const [row] = await trx.insert(scheduledJobs).values(values).returning()
  return row!
}

export async function findScheduledJob(
  db: Queryable,
  projectId: string,
  id: string
): Promise<ScheduledJobRow | undefined> {
  const [row] = await db
    .select()
    .from(scheduledJobs)
    .where(and(eq(scheduledJobs.projectId, projectId), eq(scheduledJobs.id, id)))
  return row
}

export async function lockScheduledJob(
  trx: Transaction,
  projectId: string,
  id: string
): Promise<ScheduledJobRow | undefined> {
  const [row] = await trx
    .select()
    .from(scheduledJobs)
    .where(and(eq(scheduledJobs.projectId, projectId), eq(scheduledJobs.id, id)))
    .for('update')
  return row
}

export async function listScheduledJobs(
  db: Queryable,
  projectId: string,
  limit: number,
  offset: number
): Promise<{ rows: ScheduledJobRow[]; total: number }> {
  const where = eq(scheduledJobs.projectId, projectId)
  const rows = await db
    .select()
    .from(scheduledJobs)
    .where(where)
    .orderBy(asc(scheduledJobs.createdAt), asc(scheduledJobs.id))
    .limit(limit)
    .offset(offset)
  const [found] = await db.select({ n: count() }).from(scheduledJobs).where(where)
  return { rows, total: found!.n }
}

export async function countScheduledJobsOf(trx: Transaction, userId: string): Promise<number> {
  const [row] = await trx.select({ n: count() }).from(scheduledJobs).where(eq(scheduledJobs.userId, userId))
  return row!.n
}

export async function updateScheduledJob(
  trx: Transaction,
  id: string,
  values: Partial<ScheduledJobRow>
): Promise<ScheduledJobRow> {
  const [row] = await trx.update(scheduledJobs).set(values).where(eq(scheduledJobs.id, id)).returning()
  return row!
}

export async function deleteScheduledJob(trx: Transaction, id: string): Promise<void> {
  await trx.delete(scheduledJobs).where(eq(scheduledJobs.id, id))
}

export async function deleteJobsOfProject(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(scheduledJobs).where(eq(scheduledJobs.projectId, projectId))
}

/** All that the schedules cost at rest: a look at the first entry of an index. */
export async function isAnyJobDue(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute(sql`select from scheduled_jobs where next_run_at <= now() limit 1`)
  return rows.length > 0
}

export type DueJob = ScheduledJobRow & { isSuspended: boolean; isStopped: boolean; isDeployed: boolean }

/**
 * Locks jobs that are due with their project and account, those waiting longest first. Skips what others hold, which
 * also rules out a deadlock with them: the next round finds it.
 */
export async function lockDueJobs(trx: Transaction, now: Date, limit: number): Promise<DueJob[]> {
  const found = await trx
    .select({
      job: scheduledJobs,
      isSuspended: sql<boolean>`${users.suspendedAt} is not null or ${users.deletedAt} is not null`,
      isStopped: sql<boolean>`${projects.status} = 'STOPPED'`,
      isDeployed: sql<boolean>`${projects.liveDeploymentId} is not null`
    })
    .from(scheduledJobs)
    .innerJoin(projects, eq(projects.id, scheduledJobs.projectId))
    .innerJoin(users, eq(users.id, scheduledJobs.userId))
    .where(lte(scheduledJobs.nextRunAt, now))
    .orderBy(asc(scheduledJobs.nextRunAt))
    .limit(limit)
    .for('no key update', { of: [scheduledJobs, projects, users], skipLocked: true })
  return found.map(({ job, ...facts }) => ({ ...job, ...facts }))
}

export async function listTimes(
  db: Queryable
): Promise<(Pick<ScheduledJobRow, 'id' | 'schedule' | 'timezone'> & { nextRunAt: Date })[]> {
  const rows = await db
    .select({
      id: scheduledJobs.id,
      schedule: scheduledJobs.schedule,
      timezone: scheduledJobs.timezone,
      nextRunAt: scheduledJobs.nextRunAt
    })
    .from(scheduledJobs)
    .where(isNotNull(scheduledJobs.nextRunAt))
  return rows.map((row) => ({ ...row, nextRunAt: row.nextRunAt! }))
}
