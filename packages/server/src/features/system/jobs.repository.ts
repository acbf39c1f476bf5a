import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'

export async function countJobs(db: Queryable): Promise<{ queue: string; state: string; n: number }[]> {
  const { rows } = await db.execute<{ queue: string; state: string; n: number }>(sql`
    select name as queue, case state when 'created' then 'waiting' when 'retry' then 'waiting' else state::text end as state, count(*)::int as n
    from pgboss.job where state in ('created', 'retry', 'active', 'failed') group by 1, 2`)
  return rows
}
