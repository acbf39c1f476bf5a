import { and, asc, desc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { MetricSnapshot, ProjectMetric } from '@panel/contract/monitoring'
import type { Database, Queryable } from '../../db/database.ts'
import { metricSnapshots, projectMetrics } from '../../db/schema/monitoring.ts'
import { projects } from '../../db/schema/projects.ts'

export interface ContainerRow {
  containerId: string
  projectId: string
  name: string
  userId: string
}

/** Containers that serve projects on a machine, of one account or of all, by the projects' ids. */
export async function listContainers(
  db: Queryable,
  { nodeId, userId }: { nodeId: string; userId?: string | undefined }
): Promise<ContainerRow[]> {
  const rows = await db
    .select({
      containerId: projects.containerId,
      projectId: projects.id,
      name: projects.name,
      userId: projects.userId
    })
    .from(projects)
    .where(
      and(
        isNotNull(projects.containerId),
        isNull(projects.deletedAt),
        eq(projects.nodeId, nodeId),
        userId === undefined ? undefined : eq(projects.userId, userId)
      )
    )
    .orderBy(asc(projects.id))
  return rows.map((row) => ({ ...row, containerId: row.containerId! }))
}

type NewSnapshot = Omit<typeof metricSnapshots.$inferInsert, 'id'>

/** Of a minute there is one: a second one, of a job that runs again or a clock that was set back, takes its place. */
export async function saveSnapshot(db: Queryable, snapshot: NewSnapshot): Promise<void> {
  await db
    .insert(metricSnapshots)
    .values(snapshot)
    .onConflictDoUpdate({ target: [metricSnapshots.recordedAt, metricSnapshots.nodeId], set: snapshot })
}

export interface Window {
  after: Date
  until: Date
  /** Minutes that a point is the mean of. */
  minutes: number
}

/** In the order of time, a point for so many minutes. */
export async function listSnapshots(
  db: Queryable,
  nodeId: string,
  { after, until, minutes }: Window
): Promise<MetricSnapshot[]> {
  const mean = (column: string) =>
    sql`round(avg(${sql.identifier(column)}::double precision))::bigint as ${sql.identifier(column)}`
  const { rows } = await db.execute<Record<string, string | number | null>>(sql`
    select max(id) as id, avg(cpu_percent) as cpu_percent, ${mean('ram_used')}, ${mean('ram_total')},
      ${mean('disk_used')}, ${mean('disk_total')}, ${mean('network_received')}, ${mean('network_sent')},
      ${binOf(minutes)} as bucket
    from metric_snapshots
    where recorded_at > ${after.toISOString()} and recorded_at <= ${until.toISOString()} and node_id = ${nodeId}
    group by bucket order by bucket`)
  return rows.map((row) => ({
    id: Number(row.id),
    cpu_percent: numberOrNull(row.cpu_percent),
    ram_used: numberOrNull(row.ram_used),
    ram_total: numberOrNull(row.ram_total),
    disk_used: numberOrNull(row.disk_used),
    disk_total: numberOrNull(row.disk_total),
    network_received: numberOrNull(row.network_received),
    network_sent: numberOrNull(row.network_sent),
    recorded_at: startOf(row.bucket)
  }))
}

/** The start of the so many minutes that a row is in. By date_bin, which calculates in whole numbers; what extract() gives is numeric. */
const binOf = (minutes: number) => sql`date_bin(make_interval(mins => ${minutes}::int), recorded_at, 'epoch')`
/** The driver of statements of one's own gives times as they are written. */
const startOf = (bucket: unknown): string => new Date(String(bucket)).toISOString()

const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value))

export interface ProjectPoint {
  projectId: string
  cpuPercent: number | null
  ramUsed: number | null
  networkReceived: number | null
  networkSent: number | null
}

/** A minute of all projects in one statement, with what their containers have on the disk. */
export async function saveProjectMinutes(
  db: Queryable,
  nodeId: string,
  recordedAt: Date,
  points: readonly ProjectPoint[]
): Promise<void> {
  if (points.length === 0) return
  await db.execute(sql`
    insert into project_metrics
      (project_id, node_id, minutes, recorded_at, cpu_percent, ram_used, network_received, network_sent, disk_used)
    select c."projectId", ${nodeId}, 1, ${recordedAt.toISOString()}::timestamptz, c."cpuPercent", c."ramUsed",
      c."networkReceived", c."networkSent", d.bytes
    from json_to_recordset(${JSON.stringify(points)}::json)
      as c("projectId" text, "cpuPercent" real, "ramUsed" bigint, "networkReceived" bigint, "networkSent" bigint)
    left join (select project_id, sum(bytes)::bigint as bytes from container_disk group by project_id) d
      on d.project_id = c."projectId"
    on conflict (project_id, minutes, recorded_at) do update set
      cpu_percent = excluded.cpu_percent, ram_used = excluded.ram_used, disk_used = excluded.disk_used,
      network_received = excluded.network_received, network_sent = excluded.network_sent`)
}

/**
 * Means of what is kept for `from` minutes over `to` minutes, for all that is over by `until`. It goes on where it was, so that nothing is
 * left out when it did not run for a while.
 */
export async function rollUp(
  db: Queryable,
  { from, to, until }: { from: number; to: number; until: Date }
): Promise<void> {
  const end = new Date(Math.floor(until.getTime() / (to * 60_000)) * to * 60_000).toISOString()
  await db.execute(sql`
    insert into project_metrics
      (project_id, node_id, minutes, recorded_at, cpu_percent, ram_used, network_received, network_sent, disk_used)
    select project_id, max(node_id), ${to}::int, ${binOf(to)}, avg(cpu_percent), round(avg(ram_used::double precision))::bigint,
      sum(network_received)::bigint, sum(network_sent)::bigint, max(disk_used)
    from project_metrics
    where minutes = ${from} and recorded_at < ${end} and recorded_at >= coalesce(
      (select max(recorded_at) from project_metrics where minutes = ${to} and recorded_at <= ${end}), '-infinity')
    group by project_id, ${sql.raw('4')}
    on conflict (project_id, minutes, recorded_at) do update set
      cpu_percent = excluded.cpu_percent, ram_used = excluded.ram_used, disk_used = excluded.disk_used,
      network_received = excluded.network_received, network_sent = excluded.network_sent`)
}

/** Of a project in the order of time, from what is kept for `kept` minutes. */
export async function listProjectMetrics(
  db: Queryable,
  projectId: string,
  { after, until, minutes, kept }: Window & { kept: number }
): Promise<ProjectMetric[]> {
  const rows = await db
    .select({
      bucket: sql<string>`${binOf(minutes)} as bucket`,
      cpuPercent: sql<number | null>`avg(${projectMetrics.cpuPercent})`,
      ramUsed: sql<string | null>`round(avg(${projectMetrics.ramUsed}::double precision))::bigint`,
      networkReceived: sql<string | null>`sum(${projectMetrics.networkReceived})`,
      networkSent: sql<string | null>`sum(${projectMetrics.networkSent})`,
      diskUsed: sql<string | null>`max(${projectMetrics.diskUsed})`
    })
    .from(projectMetrics)
    .where(
      and(
        eq(projectMetrics.projectId, projectId),
        eq(projectMetrics.minutes, kept),
        gt(projectMetrics.recordedAt, after),
        lte(projectMetrics.recordedAt, until)
      )
    )
    .groupBy(sql`1`)
    .orderBy(sql`1`)
  return rows.map((row) => ({
    recordedAt: startOf(row.bucket),
    cpuPercent: numberOrNull(row.cpuPercent),
    ramUsed: numberOrNull(row.ramUsed),
    networkReceived: numberOrNull(row.networkReceived),
    networkSent: numberOrNull(row.networkSent),
    diskUsed: numberOrNull(row.diskUsed)
  }))
}

/** Of each machine. */
export async function latestSnapshots(db: Queryable, after: Date) {
  return db
    .selectDistinctOn([metricSnapshots.nodeId])
    .from(metricSnapshots)
    .where(gt(metricSnapshots.recordedAt, after))
    .orderBy(metricSnapshots.nodeId, desc(metricSnapshots.recordedAt))
}

interface ProjectNow {
  /** Null of all others together. */
  id: string | null
  name: string | null
  cpuPercent: number | null
  ramUsed: number | null
  diskUsed: number | null
}

/** What projects have used last, those with the most memory by themselves. */
export async function latestProjects(db: Queryable, after: Date, limit: number): Promise<ProjectNow[]> {
  const { rows } = await db.execute<{
    id: string | null
    name: string | null
    cpu: string
    ram: string
    disk: string
  }>(sql`
    with latest as (
      select distinct on (project_id) project_id, cpu_percent, ram_used, disk_used from ${projectMetrics}
      where minutes = 1 and recorded_at > ${after.toISOString()} order by project_id, recorded_at desc
    ), ranked as (
      select latest.*, p.name, row_number() over (order by ram_used desc nulls last, project_id) <= ${limit} as is_named
      from latest join ${projects} p on p.id = latest.project_id and p.deleted_at is null
    )
    select case when is_named then project_id end as id, case when is_named then name end as name,
      sum(cpu_percent) as cpu, sum(ram_used) as ram, sum(disk_used) as disk
    from ranked group by 1, 2`)
  return rows.map(({ id, name, cpu, ram, disk }) => ({
    id,
    name,
    cpuPercent: numberOrNull(cpu),
    ramUsed: numberOrNull(ram),
    diskUsed: numberOrNull(disk)
  }))
}

const batch = 5_000

/** A batch at a time, so that whoever reads or writes meanwhile waits for none of it. */
export async function deleteSnapshots(db: Database, before: Date): Promise<void> {
  for (let deleted = batch; deleted === batch;)
    deleted = await rowsOf(
      db,
      sql`delete from metric_snapshots where id = any (array(
        select id from metric_snapshots where recorded_at < ${before.toISOString()} order by recorded_at limit ${batch}))`
    )
}

export async function deleteProjectMetrics(db: Database, minutes: number, before: Date): Promise<void> {
  for (let deleted = batch; deleted === batch;)
    deleted = await rowsOf(
      db,
      sql`delete from project_metrics where ctid = any (array(
        select ctid from project_metrics where minutes = ${minutes} and recorded_at < ${before.toISOString()}
        order by recorded_at limit ${batch}))`
    )
}

const rowsOf = async (db: Database, query: ReturnType<typeof sql>): Promise<number> =>
  (await db.execute(query)).rowCount ?? 0
