import { and, asc, eq, gte, lt, lte, sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { trafficPoints, trafficTotals } from '../../db/schema/traffic.ts'
import type { SiteTraffic } from '../../infra/traffic/traffic.ts'
import { histogramBoundsMs, histogramCounts, unpackTimes } from '../../response-times.policy.ts'

export interface TrafficBatch {
  /** Names it, so that it may be written again by whoever does not know whether it was. */
  id: string
  at: Date
  sites: readonly SiteTraffic[]
  lost: number
}

const noHistogram = `{${Array.from({ length: histogramBoundsMs.length + 1 }, () => 0).join(',')}}`

const sumOfHistograms = sql`array[${sql.join(
  [...histogramBoundsMs, 0].map((_, i) => sql.raw(`sum(histogram[${i + 1}])`)),
  sql`, `
)}]::bigint[]`

const addedUp = sql`
        requests = t.requests + excluded.requests,
        client_errors = t.client_errors + excluded.client_errors,
        server_errors = t.server_errors + excluded.server_errors,
        bytes_in = t.bytes_in + excluded.bytes_in,
        bytes_out = t.bytes_out + excluded.bytes_out,
        milliseconds = t.milliseconds + excluded.milliseconds,
        histogram = (select array_agg(a + b order by i) from unnest(t.histogram, excluded.histogram) with ordinality as u(a, b, i))`

/** Writes what a minute brought, each site once, and adds what is new of it to the totals. */
export async function saveTraffic(
  db: Queryable,
  { id, at, sites, lost }: TrafficBatch,
  { nodeId, namedSites }: { nodeId: string; namedSites: number }
): Promise<void> {
  const rows = sites.map((site) => ({ ...site, histogram: histogramCounts(unpackTimes(site.times)) }))
  if (rows.length > 0)
    await db.execute(sql`
      with given as (
        select r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
          site text, requests bigint, "clientErrors" bigint, "serverErrors" bigint, "bytesIn" bigint, "bytesOut" bigint,
          milliseconds bigint, times bigint[], histogram bigint[])
        join ${projects} p on p.id = r.site and p.deleted_at is null
      ), fresh as (
        insert into ${trafficPoints}
          (project_id, at, seconds, node_id, batch, requests, client_errors, server_errors, bytes_in, bytes_out, times)
        select site, ${at.toISOString()}::timestamptz, 60, ${nodeId}, ${id}, requests, "clientErrors", "serverErrors", "bytesIn", "bytesOut", times
        from given order by site
        on conflict do nothing returning project_id
      ), named as (
        select count(distinct t.project_id) as count from ${trafficTotals} t join ${projects} p on p.id = t.project_id
        where t.is_named and p.deleted_at is null
      )
      insert into ${trafficTotals} as t
        (project_id, node_id, requests, client_errors, server_errors, bytes_in, bytes_out, is_named, histogram, milliseconds)
      select site, ${nodeId}, requests, "clientErrors", "serverErrors", "bytesIn", "bytesOut",
        named.count + row_number() over (order by site) <= ${namedSites}::int, histogram, milliseconds
      from given join fresh on fresh.project_id = given.site cross join named order by site
      on conflict (project_id, node_id) do update set
        ${addedUp}`)
  if (lost > 0) await addLost(db, nodeId, lost)
}

async function addLost(db: Queryable, nodeId: string, lost: number): Promise<void> {
  await db.execute(sql`
    insert into ${trafficTotals} as t
      (project_id, node_id, requests, client_errors, server_errors, bytes_in, bytes_out, lost, is_named, histogram, milliseconds)
    values ('', ${nodeId}, 0, 0, 0, 0, 0, ${lost}, false, ${noHistogram}, 0)
    on conflict (project_id, node_id) do update set lost = t.lost + excluded.lost`)
}

export type TrafficRow = Pick<
  typeof trafficPoints.$inferSelect,
  'at' | 'requests' | 'clientErrors' | 'serverErrors' | 'bytesIn' | 'bytesOut' | 'times'
>

/** In the order of time. */
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
      // Of thousands of rows, the driver's own reading of arrays would take most of the time.
      times: sql`array_to_string(${trafficPoints.times}, ',')`.mapWith((text: string) =>
        text === '' ? [] : text.split(',').map(Number)
      )
    })
    .from(trafficPoints)
    .where(and(eq(trafficPoints.projectId, projectId), gte(at, from), lte(at, to)))
    .orderBy(asc(at))
}

/** Before that time. */
export async function findOldestMinute(db: Queryable, before: Date): Promise<Date | undefined> {
  const [row] = await db
    .select({ at: trafficPoints.at })
    .from(trafficPoints)
    .where(and(eq(trafficPoints.seconds, 60), lt(trafficPoints.at, before)))
    .orderBy(asc(trafficPoints.at))
    .limit(1)
  return row?.at
}

/** The minutes of a quarter of an hour, of at most so many projects that have some: of each project and machine one row. */
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
  // By each length of its own, so that the index has them in the order of time.
  const { rowCount } = await db.execute(sql`
    delete from ${trafficPoints} where ctid = any (array(
      select ctid from ${trafficPoints} where seconds = 900 and at < ${before.toISOString()} order by at limit ${limit}))`)
  return rowCount ?? 0
}

export async function deleteTrafficOf(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(trafficPoints).where(eq(trafficPoints.projectId, projectId))
}

/** What gone projects had becomes one sum; what had lines of its own at /metrics ends with them. */
export async function sumUpGone(db: Database): Promise<void> {
  await db.execute(sql`
    with gone as (
      delete from ${trafficTotals} t where t.project_id <> ''
        and not exists (select from ${projects} p where p.id = t.project_id and p.deleted_at is null)
      returning t.*
    )
    insert into ${trafficTotals} as t
      (project_id, node_id, requests, client_errors, server_errors, bytes_in, bytes_out, lost, is_named, histogram, milliseconds)
    select '', node_id, sum(requests), sum(client_errors), sum(server_errors), sum(bytes_in), sum(bytes_out), sum(lost), false,
      ${sumOfHistograms}, sum(milliseconds)
    from gone where not is_named group by node_id
    on conflict (project_id, node_id) do update set
      ${addedUp}, lost = t.lost + excluded.lost`)
}

/** Sites of this many at most by themselves; under null what all others had, gone ones among them. */
export async function sumTotals(db: Queryable, namedSites: number) {
  const { rows } = await db.execute<{
    project_id: string | null
    name: string | null
    requests: string
    client_errors: string
    server_errors: string
    bytes_in: string
    bytes_out: string
    lost: string
    milliseconds: string
    histogram: string[]
  }>(sql`
    with named as (
      select p.id, p.name from ${projects} p where p.deleted_at is null
        and exists (select from ${trafficTotals} t where t.project_id = p.id and t.is_named) order by p.id limit ${namedSites}
    ), counted as (
      select named.id, named.name, t.* from ${trafficTotals} t left join named on named.id = t.project_id
      where named.id is not null or not t.is_named
    )
    select id as project_id, name, sum(requests) as requests, sum(client_errors) as client_errors, sum(server_errors) as server_errors,
      sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out, sum(lost) as lost, sum(milliseconds) as milliseconds,
      ${sumOfHistograms}::text[] as histogram
    from counted group by id, name`)
  return rows
}
