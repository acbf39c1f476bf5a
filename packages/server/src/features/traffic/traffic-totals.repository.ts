import { sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { trafficTotals } from '../../db/schema/traffic.ts'
import type { SiteTraffic } from '../../infra/traffic/traffic.ts'
import { histogramBoundsMs, histogramCounts } from '../../time/response-times.policy.ts'

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

export const givenSites = (
  sites: readonly SiteTraffic[]
) => sql`jsonb_to_recordset(${JSON.stringify(sites)}::jsonb) as r(
  site text, requests bigint, "clientErrors" bigint, "serverErrors" bigint, "bytesIn" bigint, "bytesOut" bigint,
  milliseconds bigint, times bigint[], histogram bigint[])`

export async function countNamed(trx: Transaction): Promise<number> {
  const { rows } = await trx.execute<{ n: number }>(sql`
    select count(distinct t.project_id)::int as n from ${trafficTotals} t join ${projects} p on p.id = t.project_id
    where t.is_named and p.deleted_at is null`)
  return rows[0]!.n
}

/** Adds totals; up to a limit, new projects get their own series. */
export async function addTotals(
  trx: Transaction,
  sites: readonly SiteTraffic[],
  nodeId: string,
  places: number
): Promise<void> {
  await trx.execute(sql`
    insert into ${trafficTotals} as t
      (project_id, node_id, requests, client_errors, server_errors, bytes_in, bytes_out, is_named, histogram, milliseconds)
    select site, ${nodeId}, requests, "clientErrors", "serverErrors", "bytesIn", "bytesOut",
      row_number() over (partition by exists (
        select from ${trafficTotals} o where o.project_id = site and o.node_id = ${nodeId}
      ) order by site) <= ${places}::int, histogram, milliseconds
    from ${givenSites(sites.map((site) => ({ ...site, histogram: histogramCounts(site.times) })))} order by site
    on conflict (project_id, node_id) do update set
      ${addedUp}`)
}

export async function addLost(trx: Transaction, nodeId: string, lost: number): Promise<void> {
  await trx.execute(sql`
    insert into ${trafficTotals} as t
      (project_id, node_id, requests, client_errors, server_errors, bytes_in, bytes_out, lost, is_named, histogram, milliseconds)
    values ('', ${nodeId}, 0, 0, 0, 0, 0, ${lost}, false, ${noHistogram}, 0)
    on conflict (project_id, node_id) do update set lost = t.lost + excluded.lost`)
}

/** Sums the totals of deleted projects and ends their own series. */
export async function aggregateDeleted(db: Database): Promise<void> {
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

/** Individual sums for up to this many sites; all others, deleted ones included, under null. */
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
