import { isLocked } from '../../db/lock.ts'

/** Index in fetch order: without it, each fetch would sort all waiting jobs. Drops the index of version 0.1. */
export const indexOrder = `
  create index if not exists job_turns on pgboss.job (name, priority desc, created_on, id) where state < 'active';
  drop index if exists pgboss.job_order`

/** Round-robin turn: after the account's last waiting job, but not before jobs that waited. Negative priority. */
export const findTurn = `
  select greatest(
    coalesce(min(-priority), 0), coalesce(max(-priority) filter (where data ->> 'account' = $2), -1) + 1
  ) as turn from pgboss.job where name = $1 and state < 'active'`

// Whether a waiting job is due. Timestamps in the future mean that the clock was set back; such a job does not wait for
// that time.
const isDue = "(start_after < now() or greatest(created_on, started_on) > now() + interval '10 minutes')"

export const fetchJobs = `
  with next as materialized (
    select id from pgboss.job where name = $1 and state < 'active' and ${isDue}
    order by priority desc, created_on, id limit $2 for update skip locked
  )
  update pgboss.job set state = 'active', started_on = now(), output = jsonb_build_object('process', $3::text),
    retry_count = case when started_on is null then retry_count else retry_count + 1 end
  where name = $1 and id in (select id from next) returning id, data`

export const findWaiting = `
  select name, bool_or(${isDue}) as "isDue" from pgboss.job
  where name = any($1) and state < 'active' group by name`

/** Other processes with running jobs and whether each holds its lock. Version 0.1 named no process. */
export const findOthers = `
  select process, ${isLocked("'job-process:' || process")} as "isLocked" from (
    select distinct coalesce(output ->> 'process', '') as process from pgboss.job
    where name = any($1) and state = 'active' and output ->> 'process' is distinct from $2::text
  ) as others`

export const findOwn = `
  select name, id from pgboss.job where name = any($1) and state = 'active' and output ->> 'process' = $2::text`

/** All jobs of these processes, or those with the ids. An interruption does not count as an attempt. */
export const retryInterrupted = `
  update pgboss.job set state = 'retry', start_after = now() - interval '1 ms', started_on = null
  where name = any($1) and state = 'active' and coalesce(output ->> 'process', '') = any($2)
    and ($3::uuid[] is null or id = any($3))`
