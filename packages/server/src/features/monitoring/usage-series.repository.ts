import { type SQL, sql } from 'drizzle-orm'
import type { ProjectMetric } from '@panel/contract/monitoring'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { binOf, deleteInBatches, numberOrNull, type Window } from './monitoring.repository.ts'

const measures = {
  cpu_percent: 'avg(cpu_percent)',
  ram_used: 'round(avg(ram_used::double precision))::bigint',
  network_received: 'sum(network_received)::bigint',
  network_sent: 'sum(network_sent)::bigint'
}

/**
 * Tables of rows over some minutes: what a row is of, and how rows of fewer minutes make one of more. Workers have a table of
 * their own, so that they slow down no query about sites.
 */
const allSeries = {
  project_metrics: { key: 'project_id', measures: { ...measures, disk_used: 'max(disk_used)' } },
  process_metrics: { key: 'project_id, process', measures }
}
type Series = keyof typeof allSeries
export const usageSeries = Object.keys(allSeries) as Series[]

export interface UsagePoint {
  projectId: string
  /** Of a worker. */
  process?: string
  cpuPercent: number | null
  ramUsed: number | null
  networkReceived: number | null
  networkSent: number | null
}

const minuteColumns = sql.raw('minutes, recorded_at, node_id, cpu_percent, ram_used, network_received, network_sent')

const minuteValues = (nodeId: string, recordedAt: Date, points: readonly UsagePoint[]) => ({
  values: sql`1, ${recordedAt.toISOString()}::timestamptz, ${nodeId},
    c."cpuPercent", c."ramUsed", c."networkReceived", c."networkSent"`,
  from: sql`json_to_recordset(${JSON.stringify(points)}::json) as c("projectId" text, "process" text,
    "cpuPercent" real, "ramUsed" bigint, "networkReceived" bigint, "networkSent" bigint)`
})

/** Of a minute that is recorded a second time, or on another machine, which has further instances. */
const onAnother = (column: string) =>
  `case when m.node_id = excluded.node_id then null else coalesce(m.${column} + excluded.${column}, m.${column}) end`
const sameMinute = sql.raw(`
  cpu_percent = coalesce(${onAnother('cpu_percent')}, excluded.cpu_percent, m.cpu_percent),
  ram_used = coalesce(${onAnother('ram_used')}, excluded.ram_used),
  network_received = coalesce(m.network_received + excluded.network_received, excluded.network_received, m.network_received),
  network_sent = coalesce(m.network_sent + excluded.network_sent, excluded.network_sent, m.network_sent)`)

export async function saveProjectMinutes(
  db: Queryable,
  nodeId: string,
  recordedAt: Date,
  points: readonly UsagePoint[]
): Promise<void> {
  if (points.length === 0) return
  const { values, from } = minuteValues(nodeId, recordedAt, points)
  await db.execute(sql`
    insert into project_metrics as m (project_id, disk_used, ${minuteColumns})
    select c."projectId", d.bytes, ${values} from ${from}
    left join (select project_id, sum(bytes)::bigint as bytes from container_disk group by project_id) d
      on d.project_id = c."projectId"
    on conflict (project_id, minutes, recorded_at) do update set disk_used = excluded.disk_used, ${sameMinute}`)
}

export async function saveWorkerMinutes(
  db: Queryable,
  nodeId: string,
  recordedAt: Date,
  points: readonly UsagePoint[]
): Promise<void> {
  if (points.length === 0) return
  const { values, from } = minuteValues(nodeId, recordedAt, points)
  await db.execute(sql`
    insert into process_metrics as m (project_id, process, ${minuteColumns})
    select c."projectId", c."process", ${values} from ${from}
    on conflict (project_id, process, minutes, recorded_at) do update set ${sameMinute}`)
}

/**
 * Rolls up rows of `from` minutes into rows of `to` minutes, for all periods complete by `until`. Continues where it
 * last stopped, so that downtime leaves no gaps.
 */
export async function rollUp(
  db: Queryable,
  series: Series,
  { from, to, until }: { from: number; to: number; until: Date }
): Promise<void> {
  const end = new Date(Math.floor(until.getTime() / (to * 60_000)) * to * 60_000).toISOString()
  const table = sql.raw(series)
  const key = sql.raw(allSeries[series].key)
  const columns = Object.keys(allSeries[series].measures)
  const replaced = columns.map((column) => `${column} = excluded.${column}`)
  await db.execute(sql`
    insert into ${table} (recorded_at, minutes, node_id, ${key}, ${sql.raw(columns.join(', '))})
    select ${binOf(to)}, ${to}::int, max(node_id), ${key}, ${sql.raw(Object.values(allSeries[series].measures).join(', '))}
    from ${table}
    where minutes = ${from} and recorded_at < ${end} and recorded_at >= coalesce(
      (select max(recorded_at) + make_interval(mins => ${to}::int) from ${table}
        where minutes = ${to} and recorded_at <= ${end}), '-infinity')
    group by 1, ${key}
    on conflict (${key}, minutes, recorded_at) do update set ${sql.raw(replaced.join(', '))}`)
}

type HistoryWindow = Window & { kept: number }

export const listProjectUsage = (db: Queryable, projectId: string, window: HistoryWindow): Promise<ProjectMetric[]> =>
  listUsage(db, 'project_metrics', sql`project_id = ${projectId}`, window)

export const listWorkerUsage = (
  db: Queryable,
  { projectId, process }: { projectId: string; process: string },
  window: HistoryWindow
): Promise<ProjectMetric[]> =>
  listUsage(db, 'process_metrics', sql`project_id = ${projectId} and process = ${process}`, window)

async function listUsage(
  db: Queryable,
  series: Series,
  isWanted: SQL,
  { after, until, minutes, kept }: HistoryWindow
): Promise<ProjectMetric[]> {
  const columns = Object.entries(allSeries[series].measures).map(([column, mean]) => `${mean} as ${column}`)
  const { rows } = await db.execute(sql`
    select ${binOf(minutes)} as start, ${sql.raw(columns.join(', '))} from ${sql.raw(series)}
    where ${isWanted} and minutes = ${kept} and recorded_at > ${after.toISOString()} and recorded_at <= ${until.toISOString()}
    group by 1 order by 1`)
  return rows.map((row) => ({
    recordedAt: new Date(String(row.start)).toISOString(),
    cpuPercent: numberOrNull(row.cpu_percent),
    ramUsed: numberOrNull(row.ram_used),
    networkReceived: numberOrNull(row.network_received),
    networkSent: numberOrNull(row.network_sent),
    diskUsed: numberOrNull(row.disk_used)
  }))
}

export const deleteUsageBefore = (db: Database, series: Series, minutes: number, before: Date): Promise<void> =>
  deleteInBatches(
    db,
    (batch) => sql`delete from ${sql.raw(series)} where ctid = any (array(
      select ctid from ${sql.raw(series)} where minutes = ${minutes} and recorded_at < ${before.toISOString()}
      order by recorded_at limit ${batch}))`
  )

export async function deleteUsageOf(trx: Transaction, projectId: string): Promise<void> {
  for (const series of usageSeries)
    await trx.execute(sql`delete from ${sql.raw(series)} where project_id = ${projectId}`)
}
