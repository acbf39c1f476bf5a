import { and, asc, eq, gte, lt, lte, sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { trafficPoints } from '../../db/schema/traffic.ts'
import type { SiteTraffic } from '../../infra/traffic/traffic.ts'
import { addLost, addTotals, countNamed, givenSites } from './traffic-totals.repository.ts'

export interface TrafficBatch {
  /** Makes the write idempotent for retries. */
  id: string
  at: Date
  sites: readonly SiteTraffic[]
  lost: number
}

interface ProjectOwner {
  nodeId: string
  namedSites: number
}

/** Saves one minute and adds the sites that are new to it to the totals. */
export async function saveTraffic(
  db: Database,
  { id, at, sites, lost }: TrafficBatch,
  { nodeId, namedSites }: ProjectOwner
): Promise<void> {
  await db.transaction(async (trx) => {
    // Separate queries: with a join the planner misestimates the rows and picks a nested loop.
    const there = await listThere(trx, sites)
    const wanted = sites.filter(({ site }) => there.has(site))
    const written = await insertPoints(trx, wanted, { batch: id, at, nodeId })
    if (wanted.length > 0 && written.size === 0) return
    const rows = wanted.filter(({ site }) => written.has(site))
    if (rows.length > 0) await addTotals(trx, rows, nodeId, namedSites - (await countNamed(trx)))
    if (lost > 0) await addLost(trx, nodeId, lost)
  })
}

async function listThere(trx: Transaction, sites: readonly SiteTraffic[]): Promise<ReadonlySet<string>> {
  if (sites.length === 0) return new Set()
  const ids = JSON.stringify(sites.map(({ site }) => site))
  const { rows } = await trx.execute<{ id: string }>(sql`
    select id from ${projects} where deleted_at is null and id = any (array(select jsonb_array_elements_text(${ids}::jsonb)))`)
  return new Set(rows.map((row) => row.id))
}

async function insertPoints(
  trx: Transaction,
  sites: readonly SiteTraffic[],
  { batch, at, nodeId }: { batch: string; at: Date; nodeId: string }
): Promise<ReadonlySet<string>> {
  if (sites.length === 0) return new Set()
  const { rows } = await trx.execute<{ project_id: string }>(sql`
    insert into ${trafficPoints}
      (project_id, at, seconds, node_id, batch, requests, client_errors, server_errors, bytes_in, bytes_out, times)
    select site, ${at.toISOString()}::timestamptz, 60, ${nodeId}, ${batch}, requests, "clientErrors", "serverErrors", "bytesIn", "bytesOut", times
    from ${givenSites(sites)} order by site
    on conflict do nothing returning project_id`)
  return new Set(rows.map((row) => row.project_id))
}

export type TrafficRow = Pick<
  typeof trafficPoints.$inferSelect,
  'at' | 'requests' | 'clientErrors' | 'serverErrors' | 'bytesIn' | 'bytesOut' | 'times'
>

export async function listTraffic(db: Queryable, projectId: string, from: Date, to: Date): Promise<TrafficRow[]> {
  const { at, requests, clientErrors, serverErrors, bytesIn, bytesOut } = trafficPoints
  return db
    .select({
      at,
      requests,
      clientErrors,
      serverErrors,
      bytesIn,
      bytesOut,
      // For thousands of rows the driver's array parser would take most of the time.
      times: sql`array_to_string(${trafficPoints.times}, ',')`.mapWith((text: string) =>
        text === '' ? [] : text.split(',').map(Number)
      )
    })
    .from(trafficPoints)
    .where(and(eq(trafficPoints.projectId, projectId), gte(at, from), lte(at, to)))
    .orderBy(asc(at))
}

export async function findOldestMinute(db: Queryable, before: Date): Promise<Date | undefined> {
  const [row] = await db
    .select({ at: trafficPoints.at })
    .from(trafficPoints)
    .where(and(eq(trafficPoints.seconds, 60), lt(trafficPoints.at, before)))
    .orderBy(asc(trafficPoints.at))
    .limit(1)
  return row?.at
}

/** Rolls up the minutes of a quarter-hour for up to `limit` projects, into one row per project and machine. */
export async function foldQuarter(
  db: Queryable,
  quarter: Date,
  { batch, projects: limit }: { batch: string; projects: number }
): Promise<void> {
  const from = sql`${quarter.toISOString()}::timestamptz`
  const isInQuarter = sql`p.seconds = 60 and p.at >= ${from} and p.at < ${from} + interval '15 minutes'`
  await db.execute(sql`
    with due as (
      select distinct p.project_id from ${trafficPoints} p where ${isInQuarter} order by p.project_id limit ${limit}
    ), old as (
      delete from ${trafficPoints} p using due where p.project_id = due.project_id and ${isInQuarter} returning p.*
    ), steps as (
      select project_id, node_id, times[i] as step, sum(times[i + 1])::bigint as n
      from old cross join generate_series(1, cardinality(times), 2) as i group by 1, 2, 3
    ), packed as (
      select project_id, node_id, array_agg(value order by step, place) as times
      from steps cross join lateral (values (1, step), (2, n)) as pair(place, value) group by 1, 2
    )
    insert into ${trafficPoints}
      (project_id, at, seconds, node_id, batch, requests, client_errors, server_errors, bytes_in, bytes_out, times)
    select old.project_id, ${from}, 900, old.node_id, ${batch}, sum(requests), sum(client_errors), sum(server_errors),
      sum(bytes_in), sum(bytes_out), coalesce(packed.times, '{}')
    from old left join packed on packed.project_id = old.project_id and packed.node_id = old.node_id
    group by old.project_id, old.node_id, packed.times`)
}

export async function deleteOldTraffic(db: Queryable, before: Date, limit: number): Promise<number> {
  // One statement per resolution, so that the index returns rows in chronological order.
  const { rowCount } = await db.execute(sql`
    delete from ${trafficPoints} where ctid = any (array(
      select ctid from ${trafficPoints} where seconds = 900 and at < ${before.toISOString()} order by at limit ${limit}))`)
  return rowCount ?? 0
}

export async function deleteTrafficOf(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(trafficPoints).where(eq(trafficPoints.projectId, projectId))
}
