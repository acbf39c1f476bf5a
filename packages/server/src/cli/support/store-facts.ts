import type { Store } from '../../wiring/store.ts'

const recent = 200

/** Rows that help to understand what happened. Without addresses, names and details, which identify people. */
const queries: Readonly<Record<string, string>> = {
  'store/schema.json': `select hash, to_timestamp(created_at / 1000) as created from drizzle.__drizzle_migrations order by created_at`,
  'store/size.json': `select relname as table, n_live_tup::int as rows, pg_total_relation_size(relid)::bigint as bytes
    from pg_stat_user_tables order by 3 desc`,
  'store/jobs.json': `select name as queue, state::text, count(*)::int as count, max(createdon) as latest from pgboss.job group by 1, 2 order by 1, 2`,
  'store/failed-jobs.json': `select name as queue, state::text, retrycount::int as retries, createdon as created, completedon as completed,
    left(output::text, 2000) as output from pgboss.job where state in ('failed', 'retry') order by createdon desc limit ${recent}`,
  'store/events.json': `select created_at as at, action, actor_id as actor, target_id as target from (
    select created_at, action, actor_id, target_id from audit_log
    union all select created_at, action, actor_id, target_id from audit_pending) entries order by 1 desc limit ${recent}`,
  'store/deployments.json': `select id, project_id as project, status::text, trigger::text, failure, created_at as created, duration
    from deployments order by seq desc limit 50`
}

/**
 * By file name. `clean` gets each text before it becomes JSON, whose escapes would hide line ends. A query that fails is
 * reported in its file, since a broken store is what support is about.
 */
export async function readStoreFacts(
  { db }: Pick<Store, 'db'>,
  clean: (text: string) => string
): Promise<Record<string, string>> {
  const cleanText = (_name: string, value: unknown) => (typeof value === 'string' ? clean(value) : value)
  const files: Record<string, string> = {}
  for (const [name, query] of Object.entries(queries)) {
    files[name] = await db.$client.query(query).then(
      ({ rows }) => JSON.stringify(rows, cleanText, 1),
      (error: Error) => `${error.message}\n`
    )
  }
  return files
}
