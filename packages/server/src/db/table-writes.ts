import { sql } from 'drizzle-orm'
import type { Queryable } from './database.ts'

export type TableWrites = ReadonlyMap<string, string>

/** PostgreSQL may count a write this long after its commit: idle sessions flush their statistics within ten seconds. */
export const countLagMs = 15_000

/** PostgreSQL's write statistics, only to detect changes. Not from pg_stat_user_tables, which joins all indexes. */
export async function countTableWrites(db: Queryable): Promise<TableWrites> {
  const { rows } = await db.execute<{ table: string; writes: string }>(
    sql`select relname as table,
          (pg_stat_get_tuples_inserted(oid) + pg_stat_get_tuples_updated(oid) + pg_stat_get_tuples_deleted(oid))::text as writes
        from pg_class where relkind = 'r' and relnamespace = current_schema()::text::regnamespace`
  )
  return new Map(rows.map(({ table, writes }) => [table, writes]))
}

/** Whether statistics are on: an administrator can turn off track_counts, and only a superuser can turn it on. */
export async function areWritesCounted(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ track_counts: string }>(sql`show track_counts`)
  return rows[0]!.track_counts === 'on'
}

/** Snapshot of visible commits and server start time: unchanged as long as no process has committed. */
export async function readCommits(db: Queryable): Promise<string> {
  const { rows } = await db.execute<{ commits: string }>(
    sql`select pg_postmaster_start_time()::text || ' ' || pg_current_snapshot()::text as commits`
  )
  return rows[0]!.commits
}
