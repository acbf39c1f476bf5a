import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { type DeploymentStatus, type DeploymentTrigger, openStatuses } from '@panel/contract/deployments'
import type { Queryable, Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { deployments, type StoredUpload } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'
import { sourceUploads } from '../../db/schema/source-uploads.ts'
import { inFlightStatuses, type DeploymentQueue, deploymentQueues, sourcesOf } from './deployment.machine.ts'

export type DeploymentRow = typeof deployments.$inferSelect

/** Not only saved before other files took their place. */
const wasServed = sql`(${deployments.snapshot}->>'isSaved') is null`

export async function insertDeployment(
  trx: Transaction,
  values: typeof deployments.$inferInsert
): Promise<DeploymentRow> {
  const [row] = await trx.insert(deployments).values(values).returning()
  return row!
}

export async function findDeployment(db: Queryable, projectId: string, id: string): Promise<DeploymentRow | undefined> {
  const [row] = await db
    .select()
    .from(deployments)
    .where(and(eq(deployments.projectId, projectId), eq(deployments.id, id)))
  return row
}

export async function findDeploymentById(db: Queryable, id: string): Promise<DeploymentRow | undefined> {
  const [row] = await db.select().from(deployments).where(eq(deployments.id, id))
  return row
}

export async function listDeployments(db: Queryable, projectId: string, limit: number, offset: number) {
  const where = eq(deployments.projectId, projectId)
  const [rows, counted] = await Promise.all([
    db.select().from(deployments).where(where).orderBy(desc(deployments.seq)).limit(limit).offset(offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(deployments)
      .where(where)
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

/** Outcome of the previous deployment that was not cancelled. */
export async function findOutcomeBefore(
  db: Queryable,
  { projectId, seq }: Pick<DeploymentRow, 'projectId' | 'seq'>
): Promise<DeploymentStatus | undefined> {
  const [row] = await db
    .select({ status: deployments.status })
    .from(deployments)
    .where(
      and(
        eq(deployments.projectId, projectId),
        sql`${deployments.seq} < ${seq}`,
        inArray(deployments.status, ['RUNNING', 'FAILED'])
      )
    )
    .orderBy(desc(deployments.seq))
    .limit(1)
  return row?.status
}

export async function findServedBefore(
  db: Queryable,
  { projectId, seq }: Pick<DeploymentRow, 'projectId' | 'seq'>
): Promise<DeploymentRow | undefined> {
  const [row] = await db
    .select()
    .from(deployments)
    .where(
      and(
        eq(deployments.projectId, projectId),
        sql`${deployments.seq} < ${seq}`,
        eq(deployments.status, 'RUNNING'),
        wasServed
      )
    )
    .orderBy(desc(deployments.seq))
    .limit(1)
  return row
}

export async function countQueued(db: Queryable, projectId: string): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(deployments)
    .where(and(eq(deployments.projectId, projectId), eq(deployments.status, 'QUEUED')))
  return row?.n ?? 0
}

export async function listOpenDeployments(db: Queryable): Promise<Pick<DeploymentRow, 'id' | 'projectId'>[]> {
  return db
    .select({ id: deployments.id, projectId: deployments.projectId })
    .from(deployments)
    .where(inArray(deployments.status, [...openStatuses]))
}

/** What runs, by project. */
export async function listImages(db: Queryable, projectIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ projectId: projects.id, image: deployments.image })
    .from(projects)
    .innerJoin(deployments, eq(deployments.id, projects.liveDeploymentId))
    .where(and(inArray(projects.id, [...projectIds]), isNotNull(deployments.image)))
  return new Map(rows.map(({ projectId, image }) => [projectId, image!]))
}

/** Server-wide; states without any are 0. */
export async function countOpenDeployments(db: Queryable): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: deployments.status, count: sql<number>`count(*)::int` })
    .from(deployments)
    .where(inArray(deployments.status, [...openStatuses]))
    .groupBy(deployments.status)
  const none = openStatuses.map((status) => [status, 0] as const)
  return Object.fromEntries([...none, ...rows.map(({ status, count }) => [status, count] as const)])
}

export async function listQueuedTriggers(db: Queryable): Promise<DeploymentTrigger[]> {
  const rows = await db
    .selectDistinct({ trigger: deployments.trigger })
    .from(deployments)
    .where(eq(deployments.status, 'QUEUED'))
  return rows.map((row) => row.trigger)
}

/** The latest deployment whose image is kept: what a plain deploy runs. */
export async function findLatestImage(db: Queryable, projectId: string): Promise<DeploymentRow | undefined> {
  const [row] = await db
    .select()
    .from(deployments)
    .where(
      and(
        eq(deployments.projectId, projectId),
        eq(deployments.status, 'RUNNING'),
        isNotNull(deployments.image),
        wasServed
      )
    )
    .orderBy(desc(deployments.seq))
    .limit(1)
  return row
}

/** The latest deployment from an upload that is still there. */
export async function findLatestUpload(db: Queryable, projectId: string): Promise<StoredUpload | undefined> {
  const [row] = await db
    .select({ upload: deployments.upload })
    .from(deployments)
    .innerJoin(sourceUploads, sql`${sourceUploads.id} = ${deployments.upload}->>'id'`)
    .where(and(eq(deployments.projectId, projectId), eq(sourceUploads.isRemoved, false)))
    .orderBy(desc(sourceUploads.id))
    .limit(1)
  return row?.upload ?? undefined
}

export const isUploadKept = async (db: Queryable, { id }: StoredUpload): Promise<boolean> =>
  (await db.$count(sourceUploads, and(eq(sourceUploads.id, id), eq(sourceUploads.isRemoved, false)))) > 0

/** Compare-and-swap: undefined if the current state does not allow the move. */
export async function moveDeployment(
  db: Queryable,
  id: string,
  status: DeploymentStatus,
  now: Date,
  values: Partial<DeploymentRow> = {}
): Promise<DeploymentRow | undefined> {
  const ends = sourcesOf('FAILED').every((source) => source !== status)
  const duration = sql<number>`round(extract(epoch from (${now.toISOString()}::timestamptz - ${deployments.startedAt})))::int`
  const [row] = await db
    .update(deployments)
    .set({ ...values, status, updatedAt: now, ...(ends ? { duration, workerId: null } : {}) })
    .where(and(eq(deployments.id, id), inArray(deployments.status, sourcesOf(status))))
    .returning()
  return row
}

export async function updateDeployment(
  db: Queryable,
  id: string,
  values: Partial<DeploymentRow>,
  now: Date
): Promise<void> {
  await db
    .update(deployments)
    .set({ ...values, updatedAt: now })
    .where(eq(deployments.id, id))
}

export async function lockDeployment(trx: Transaction, id: string): Promise<DeploymentRow | undefined> {
  const [row] = await trx.select().from(deployments).where(eq(deployments.id, id)).for('update')
  return row
}

export async function cancelOpenDeployments(trx: Transaction, projectId: string, now: Date): Promise<void> {
  await trx
    .update(deployments)
    .set({ status: 'CANCELLED', updatedAt: now })
    .where(and(eq(deployments.projectId, projectId), inArray(deployments.status, [...openStatuses])))
}

/** All of a suspended account. The caller holds the project locks. */
export async function cancelOpenDeploymentsOf(trx: Transaction, userId: string, now: Date): Promise<void> {
  await trx
    .update(deployments)
    .set({ status: 'CANCELLED', updatedAt: now })
    .where(and(eq(deployments.userId, userId), inArray(deployments.status, [...openStatuses])))
}

export async function forgetImagesOf(db: Queryable, projectId: string): Promise<void> {
  await db.update(deployments).set({ image: null, imageSpec: null }).where(eq(deployments.projectId, projectId))
}

/** One deployment per project; the account with the fewest running goes first, then the one served longest ago. */
export async function claimDeployment(
  trx: Transaction,
  queue: DeploymentQueue,
  { workerId, postponed }: { workerId: number; postponed: readonly string[] },
  now: Date
): Promise<DeploymentRow | undefined> {
  // Server-wide lock: two claims at once could both see a project as idle.
  await lockName(trx, 'deployments:claim')
  const { triggers } = deploymentQueues[queue]
  const found = await trx.execute<{ id: string; image: string | null }>(sql`
    select d.id, d.image from deployments d
    where d.status = 'QUEUED' and d.project_id <> all (${sql.param([...postponed])}::text[]) and d.trigger in ${sql`(${sql.join(
      triggers.map((trigger) => sql`${trigger}`),
      sql`, `
    )})`}
      and not exists (
        select 1 from deployments o where o.project_id = d.project_id
        and (o.status in ('BUILDING', 'DEPLOYING') or (o.status = 'QUEUED' and o.seq < d.seq))
      )
    order by
      (select count(*) from deployments r where r.user_id = d.user_id and r.status in ('BUILDING', 'DEPLOYING')),
      (select max(s.started_at) from deployments s where s.user_id = d.user_id) nulls first,
      d.seq
    limit 1`)
  const next = found.rows[0]
  if (next === undefined) return undefined
  const firstStatus = next.image === null ? 'BUILDING' : 'DEPLOYING'
  return moveDeployment(trx, next.id, firstStatus, now, { workerId, startedAt: now })
}

export async function listInFlight(db: Queryable): Promise<(DeploymentRow & { liveDeploymentId: string | null })[]> {
  const rows = await db
    .select({ deployment: deployments, liveDeploymentId: projects.liveDeploymentId })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(inArray(deployments.status, [...inFlightStatuses]))
  return rows.map((row) => ({ ...row.deployment, liveDeploymentId: row.liveDeploymentId }))
}

/** The row lock makes chunks visible in order, which followers rely on. Does nothing once the log was removed. */
export async function appendLog(db: Queryable, deploymentId: string, text: string): Promise<void> {
  await db.execute(sql`
    insert into deployment_logs (deployment_id, text)
    select id, ${text} from (
      select id from deployments where id = ${deploymentId} and log_removed_at is null for no key update
    ) locked`)
}

/** The end of each log, about `maxBytes` at most. Chunks are at most 16 KiB (deployment-log.service.ts). */
export async function readLogs(
  db: Queryable,
  deploymentIds: readonly string[],
  maxBytes: number
): Promise<Map<string, string>> {
  if (deploymentIds.length === 0) return new Map()
  // octet_length does not read the text, so skipped chunks are cheap.
  const { rows } = await db.execute<{ id: string; text: string }>(sql`
    select d.id, right(string_agg(l.text, '' order by l.seq), ${maxBytes}) as text
    from unnest(${sql`array[${sql.join(
      deploymentIds.map((id) => sql`${id}`),
      sql`, `
    )}]::text[]`}) as d(id)
    cross join lateral (
      select seq, text from (
        select seq, text, sum(octet_length(text)) over (order by seq desc) - octet_length(text) as newer
        from deployment_logs where deployment_id = d.id
      ) chunks where newer < ${maxBytes}
    ) l
    group by d.id`)
  return new Map(rows.map((row) => [row.id, row.text]))
}
