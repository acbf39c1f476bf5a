import type { RunStatus } from '@panel/contract/runs'
import { and, asc, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { runs } from '../../db/schema/runs.ts'
import { openStatuses, sourcesOf } from './run.machine.ts'

export type RunRow = typeof runs.$inferSelect

const isOpenRow = inArray(runs.status, [...openStatuses])

/** Undefined if this time of the schedule already has a run. */
export async function insertRun(trx: Transaction, values: typeof runs.$inferInsert): Promise<RunRow | undefined> {
  const [row] = await trx
    .insert(runs)
    .values(values)
    .onConflictDoNothing({ target: [runs.scheduledJobId, runs.dueAt] })
    .returning()
  return row
}

export async function findRun(db: Queryable, id: string): Promise<RunRow | undefined> {
  const [row] = await db.select().from(runs).where(eq(runs.id, id))
  return row
}

export async function lockRun(trx: Transaction, id: string): Promise<RunRow | undefined> {
  const [row] = await trx.select().from(runs).where(eq(runs.id, id)).for('update')
  return row
}

export async function listRuns(
  db: Queryable,
  { projectId, scheduledJobId, trigger }: Pick<RunRow, 'projectId'> & Partial<Pick<RunRow, 'trigger'>> & { scheduledJobId?: string | undefined }, // oxfmt-ignore
  limit: number,
  offset: number
): Promise<{ rows: RunRow[]; total: number }> {
  const where = and(
    eq(runs.projectId, projectId),
    scheduledJobId === undefined ? undefined : eq(runs.scheduledJobId, scheduledJobId),
    trigger === undefined ? undefined : eq(runs.trigger, trigger)
  )
  const rows = await db
    .select()
    .from(runs)
    .where(where)
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(limit)
    .offset(offset)
  const [found] = await db.select({ n: count() }).from(runs).where(where)
  return { rows, total: found!.n }
}

/** The latest run of each job. */
export async function listLatestRuns(db: Queryable, jobIds: readonly string[]): Promise<RunRow[]> {
  if (jobIds.length === 0) return []
  return db
    .selectDistinctOn([runs.scheduledJobId])
    .from(runs)
    .where(inArray(runs.scheduledJobId, [...jobIds]))
    .orderBy(runs.scheduledJobId, desc(runs.createdAt), desc(runs.id))
}

export async function listOpenRuns(db: Queryable): Promise<RunRow[]> {
  return db.select().from(runs).where(isOpenRow).orderBy(asc(runs.createdAt), asc(runs.id))
}

export async function listOpenOfJob(trx: Transaction, scheduledJobId: string): Promise<RunRow[]> {
  return trx
    .select()
    .from(runs)
    .where(and(eq(runs.scheduledJobId, scheduledJobId), isOpenRow))
}

export async function listQueuedOf(db: Queryable, userId: string): Promise<RunRow[]> {
  return db
    .select()
    .from(runs)
    .where(and(eq(runs.userId, userId), eq(runs.status, 'QUEUED')))
    .orderBy(asc(runs.createdAt), asc(runs.id))
}

export async function countOpenOf(db: Queryable, userId: string, status: 'QUEUED' | 'RUNNING'): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(runs)
    .where(and(eq(runs.userId, userId), eq(runs.status, status)))
  return row!.n
}

export async function countOpenByStatus(db: Queryable): Promise<Record<string, number>> {
  const rows = await db.select({ status: runs.status, n: count() }).from(runs).where(isOpenRow).groupBy(runs.status)
  return Object.fromEntries(rows.map(({ status, n }) => [status.toLowerCase(), n]))
}

/** Compare-and-swap; undefined if the run has already left the statuses that it may be moved from. */
export async function moveRun(
  db: Queryable,
  id: string,
  status: RunStatus,
  now: Date,
  values: Partial<RunRow> = {}
): Promise<RunRow | undefined> {
  const [row] = await db
    .update(runs)
    .set({ workerId: null, ...(status === 'RUNNING' ? { startedAt: now } : { endedAt: now }), ...values, status, updatedAt: now })
    .where(and(eq(runs.id, id), inArray(runs.status, [...sourcesOf[status]])))
    .returning() // oxfmt-ignore
  return row
}

export async function updateRun(db: Queryable, id: string, values: Partial<RunRow>): Promise<RunRow | undefined> {
  const [row] = await db.update(runs).set(values).where(eq(runs.id, id)).returning()
  return row
}

/** `problem` becomes the run's when it has stopped. */
export async function requestStop(db: Queryable, id: string, problem: RunRow['problem'], now: Date): Promise<void> {
  await db
    .update(runs)
    .set({ stopRequestedAt: now, problem })
    .where(and(eq(runs.id, id), isNull(runs.stopRequestedAt)))
}

/** Ends what waits and asks what runs to stop, for all runs of an account or a project. */
export async function stopAll(
  trx: Transaction,
  of: { userId: string } | { projectId: string },
  now: Date
): Promise<void> {
  const owned = 'userId' in of ? eq(runs.userId, of.userId) : eq(runs.projectId, of.projectId)
  await trx
    .update(runs)
    .set({ stopRequestedAt: now })
    .where(and(owned, eq(runs.status, 'RUNNING'), isNull(runs.stopRequestedAt)))
  await trx
    .update(runs)
    .set({ status: 'STOPPED', endedAt: now })
    .where(and(owned, eq(runs.status, 'QUEUED')))
}

export async function deleteRunsOfProject(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(runs).where(eq(runs.projectId, projectId))
}

/** The status of the run of a job before this one, of those that ended by themselves. */
export async function findOutcomeBefore(trx: Transaction, run: RunRow): Promise<RunStatus | undefined> {
  const [row] = await trx
    .select({ status: runs.status })
    .from(runs)
    .where(
      and(
        eq(runs.scheduledJobId, run.scheduledJobId!),
        sql`${runs.id} <> ${run.id}`,
        inArray(runs.status, ['SUCCEEDED', 'FAILED', 'TIMED_OUT'])
      )
    )
    .orderBy(desc(runs.createdAt), desc(runs.id))
    .limit(1)
  return row?.status
}

/** Keeps the latest ended runs of each job, and the latest one-off commands of each project. */
export async function deleteOldRuns(db: Queryable, kept: number): Promise<void> {
  await db.execute(sql`
    delete from runs where id in (
      select id from (
        select id, row_number() over (partition by project_id, scheduled_job_id order by created_at desc, id desc) as place
        from runs where status not in ('QUEUED', 'RUNNING')
      ) as ended where place > ${kept})`)
}
