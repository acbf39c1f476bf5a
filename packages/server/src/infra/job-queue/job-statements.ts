import { isLocked } from '../../db/lock.ts'

/** The order in which jobs are fetched: without it, each fetch would sort all that wait. That of version 0.1 knew no turns. */
export const indexOrder = `
  create index if not exists job_turns on pgboss.job (name, priority desc, created_on, id) where state < 'active';
  drop index if exists pgboss.job_order`

/**
 * The turn of a new job: accounts come one after the other, each with the oldest of its jobs. It is one after the last that waits of the
 * account, and not before those that have waited already. A turn is a priority with the other sign.
 */
export const findRound = `
  select greatest(
    coalesce(min(-priority), 0), coalesce(max(-priority) filter (where data ->> 'account' = $2), -1) + 1
  ) as turn from pgboss.job where name = $1 and state < 'active'`

/**
 * Whether the time of a job that waits has come. One that was made or failed at a time that is to come yet was so before the clock was set back:
 * it does not wait until that time comes again.
 */
const isDue = "(start_after < now() or greatest(created_on, started_on) > now() + interval '10 minutes')"

/** Marks jobs as running in this process, in their order. Those that somebody has locked are passed over. */
export const fetchJobs = `
  with next as materialized (
    select id from pgboss.job where name = $1 and state < 'active' and ${isDue}
    order by priority desc, created_on, id limit $2 for update skip locked
  )
  update pgboss.job set state = 'active', started_on = now(), output = jsonb_build_object('process', $3::text),
    retry_count = case when started_on is null then retry_count else retry_count + 1 end
  where name = $1 and id in (select id from next) returning id, data`

/** The queues with jobs that wait, and whether the time of one has come. */
export const findWaiting = `
  select name, bool_or(${isDue}) as "isDue" from pgboss.job
  where name = any($1) and state < 'active' group by name`

/**
 * The other processes that jobs run in, and whether each has its lock. Empty stands for jobs that name none: version 0.1 started
 * them.
 */
export const findOthers = `
  select process, ${isLocked("'job-process:' || process")} as "isLocked" from (
    select distinct coalesce(output ->> 'process', '') as process from pgboss.job
    where name = any($1) and state = 'active' and output ->> 'process' is distinct from $2::text
  ) as others`

/** The jobs that run in a process, as far as the store knows. */
export const findOwn = `
  select name, id from pgboss.job where name = any($1) and state = 'active' and output ->> 'process' = $2::text`

/** Of these processes, all jobs or those with the ids that are given. An interruption is no failure: it does not count among the tries. */
export const retryInterrupted = `
  update pgboss.job set state = 'retry', start_after = now() - interval '1 ms', started_on = null
  where name = any($1) and state = 'active' and coalesce(output ->> 'process', '') = any($2)
    and ($3::uuid[] is null or id = any($3))`
