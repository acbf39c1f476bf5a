import { and, asc, desc, eq, exists, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { containerSlots } from '../../db/schema/container-slots.ts'
import { metricHalfHours, metricSnapshots, projectMetrics } from '../../db/schema/monitoring.ts'
import { projects } from '../../db/schema/projects.ts'

export interface ContainerRow {
  containerId: string
  projectId: string
  name: string
  userId: string
}

/** First containers of projects of which instances should be running on this machine, by project id; of one account or all. */
export async function listContainers(
  db: Queryable,
  { nodeId, userId }: { nodeId: string; userId?: string | undefined }
): Promise<(ContainerRow & Pick<typeof projects.$inferSelect, 'instances' | 'liveDeploymentId' | 'nodeId'>)[]> {
  const rows = await db
    .select({
      containerId: projects.containerId,
      projectId: projects.id,
      name: projects.name,
      userId: projects.userId,
      instances: projects.instances,
      liveDeploymentId: projects.liveDeploymentId,
      nodeId: projects.nodeId
    })
    .from(projects)
    .where(
      and(
        isNotNull(projects.containerId),
        isNull(projects.deletedAt),
        // A stopped or sleeping project keeps its container.
        ne(projects.status, 'STOPPED'),
        isNull(projects.asleepSince),
        or(eq(projects.nodeId, nodeId), exists(liveSlotsOn(db, nodeId))),
        userId === undefined ? undefined : eq(projects.userId, userId)
      )
    )
    .orderBy(asc(projects.id))
  return rows.map((row) => ({ ...row, containerId: row.containerId! }))
}

const liveSlotsOn = (db: Queryable, nodeId: string) =>
  db
    .select({ one: sql`1` })
    .from(containerSlots)
    .where(
      and(
        eq(containerSlots.projectId, projects.id),
        eq(containerSlots.deploymentId, projects.liveDeploymentId),
        eq(containerSlots.nodeId, nodeId)
      )
    )

/** Keys of runs and of instances of workers on this server. */
export async function listRunKeys(db: Queryable, nodeId: string): Promise<Set<string>> {
  const rows = await db
    .select({ key: containerSlots.deploymentId })
    .from(containerSlots)
    .innerJoin(projects, eq(projects.id, containerSlots.projectId))
    .where(and(eq(containerSlots.nodeId, nodeId), eq(containerSlots.kind, 'RUN'), isNull(projects.deletedAt)))
  return new Set(rows.map(({ key }) => key))
}

type NewSnapshot = Omit<typeof metricSnapshots.$inferInsert, 'id'>

/**
 * One snapshot per minute: a later one (job retry, clock set back) replaces it. Half-hour averages are updated at once,
 * so there is nothing to catch up.
 */
export async function saveSnapshot(trx: Transaction, snapshot: NewSnapshot): Promise<void> {
  await trx
    .insert(metricSnapshots)
    .values(snapshot)
    .onConflictDoUpdate({ target: [metricSnapshots.recordedAt, metricSnapshots.nodeId], set: snapshot })
  const halfHour = 30 * 60_000
  const from = Math.floor(snapshot.recordedAt.getTime() / halfHour) * halfHour
  await saveHalfHours(trx, snapshot.nodeId, { from: new Date(from), to: new Date(from + halfHour) })
}

const means = ['ram_used', 'ram_total', 'disk_used', 'disk_total', 'network_received', 'network_sent'].map((column) =>
  sql.raw(`round(avg(${column}::double precision))::bigint as ${column}`)
)

export async function saveHalfHours(
  db: Queryable,
  nodeId: string,
  { from, to }: { from: Date; to: Date }
): Promise<void> {
  await db.execute(sql`
    insert into metric_half_hours (node_id, recorded_at, last_id, cpu_percent,
      ram_used, ram_total, disk_used, disk_total, network_received, network_sent)
    select node_id, ${binOf(30)}, max(id), avg(cpu_percent), ${sql.join(means, sql`, `)}
    from metric_snapshots
    where node_id = ${nodeId} and recorded_at >= ${from.toISOString()} and recorded_at < ${to.toISOString()}
    group by 1, 2
    on conflict (node_id, recorded_at) do update set last_id = excluded.last_id, cpu_percent = excluded.cpu_percent,
      ram_used = excluded.ram_used, ram_total = excluded.ram_total, disk_used = excluded.disk_used,
      disk_total = excluded.disk_total, network_received = excluded.network_received, network_sent = excluded.network_sent`)
}

export interface Window {
  after: Date
  until: Date
  minutes: number
}

/** In chronological order. PostgreSQL writes the JSON of the contract's MetricSnapshots. */
export async function listSnapshots(db: Queryable, nodeId: string, { after, until, minutes }: Window): Promise<string> {
  const columns = sql`cpu_percent, ram_used, ram_total, disk_used, disk_total, network_received, network_sent`
  const isWanted = sql`recorded_at > ${after.toISOString()} and recorded_at <= ${until.toISOString()} and node_id = ${nodeId}`
  const points =
    minutes === 1
      ? sql`select id, ${columns}, recorded_at as start from metric_snapshots where ${isWanted}`
      : minutes === 30
        ? sql`select last_id as id, ${columns}, recorded_at as start from metric_half_hours where ${isWanted}`
        : sql`select max(id) as id, avg(cpu_percent) as cpu_percent, ${sql.join(means, sql`, `)}, ${binOf(minutes)} as start
            from metric_snapshots where ${isWanted} group by start`
  const { rows } = await db.execute<{ json: string }>(sql`
    select coalesce(json_agg(listed), '[]')::text as json from (
      select id, ${columns}, to_char(start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as recorded_at
      from (${points}) points order by start
    ) listed`)
  return rows[0]!.json
}

/** Half-hour averages of what is used on the disk of the panel, oldest first. */
export async function listDiskUsage(
  db: Queryable,
  nodeId: string,
  after: Date
): Promise<{ at: Date; usedBytes: number }[]> {
  const { diskUsed, recordedAt } = metricHalfHours
  const rows = await db
    .select({ at: recordedAt, usedBytes: diskUsed })
    .from(metricHalfHours)
    .where(and(eq(metricHalfHours.nodeId, nodeId), gt(recordedAt, after), isNotNull(diskUsed)))
    .orderBy(asc(recordedAt))
  return rows.map(({ at, usedBytes }) => ({ at, usedBytes: usedBytes! }))
}

/** date_bin instead of extract(): integer arithmetic is faster than numeric. */
export const binOf = (minutes: number) => sql`date_bin(make_interval(mins => ${minutes}::int), recorded_at, 'epoch')`
export const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)

export async function latestSnapshots(db: Queryable, after: Date) {
  return db
    .selectDistinctOn([metricSnapshots.nodeId])
    .from(metricSnapshots)
    .where(gt(metricSnapshots.recordedAt, after))
    .orderBy(metricSnapshots.nodeId, desc(metricSnapshots.recordedAt))
}

interface ProjectNow {
  id: string | null
  name: string | null
  cpuPercent: number | null
  ramUsed: number | null
  diskUsed: number | null
  networkReceived: number | null
  networkSent: number | null
}

export async function latestProjects(db: Queryable, after: Date, limit: number): Promise<ProjectNow[]> {
  const { rows } = await db.execute<{
    id: string | null
    name: string | null
    cpu: string
    ram: string
    disk: string
    received: string
    sent: string
  }>(sql`
    with latest as (
      select distinct on (project_id) project_id, cpu_percent, ram_used, disk_used, network_received, network_sent
      from ${projectMetrics}
      where minutes = 1 and recorded_at > ${after.toISOString()} order by project_id, recorded_at desc
    ), ranked as (
      select latest.*, p.name, row_number() over (order by ram_used desc nulls last, project_id) <= ${limit} as is_named
      from latest join ${projects} p on p.id = latest.project_id and p.deleted_at is null
    )
    select case when is_named then project_id end as id, case when is_named then name end as name,
      sum(cpu_percent) as cpu, sum(ram_used) as ram, sum(disk_used) as disk,
      sum(network_received) as received, sum(network_sent) as sent
    from ranked group by 1, 2`)
  return rows.map(({ id, name, cpu, ram, disk, received, sent }) => ({
    id,
    name,
    cpuPercent: numberOrNull(cpu),
    ramUsed: numberOrNull(ram),
    diskUsed: numberOrNull(disk),
    networkReceived: numberOrNull(received),
    networkSent: numberOrNull(sent)
  }))
}

/** In batches, so that other queries never wait long. */
export async function deleteSnapshots(db: Database, before: Date): Promise<void> {
  await db.delete(metricHalfHours).where(lt(metricHalfHours.recordedAt, before))
  await deleteInBatches(
    db,
    (batch) => sql`delete from metric_snapshots where id = any (array(
      select id from metric_snapshots where recorded_at < ${before.toISOString()} order by recorded_at limit ${batch}))`
  )
}

const batchSize = 5_000

/** Runs a deletion of up to so many rows until none are left. */
export async function deleteInBatches(db: Database, queryOf: (batchSize: number) => SQL): Promise<void> {
  let deleted
  do deleted = (await db.execute(queryOf(batchSize))).rowCount ?? 0
  while (deleted === batchSize)
}
