import { sql } from 'drizzle-orm'
import type { Queryable } from './database.ts'

/** How often each table has been written to. */
export type TableWrites = ReadonlyMap<string, string>

/** For so long after a commit PostgreSQL may count it later: a session that is idle then tells of its writes within ten seconds. */
export const countLagMs = 15_000

/**
 * As PostgreSQL counts it, of every process. The figures only say that something changed: a restart of the store begins them anew. From
 * the catalog, as the view pg_stat_user_tables joins and groups all indexes for each reading.
 */
export async function countTableWrites(db: Queryable): Promise<TableWrites> {
  const { rows } = await db.execute<{ table: string; writes: string }>(
    sql`select relname as table,
          (pg_stat_get_tuples_inserted(oid) + pg_stat_get_tuples_updated(oid) + pg_stat_get_tuples_deleted(oid))::text as writes
        from pg_class where relkind = 'r' and relnamespace = current_schema()::text::regnamespace`
  )
  return new Map(rows.map(({ table, writes }) => [table, writes]))
}

/** Whether the store counts at all: its administrator can switch that off (track_counts), and only a superuser on again. */
export async function areWritesCounted(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ track_counts: string }>(sql`show track_counts`)
  return rows[0]!.track_counts === 'on'
}

/** Which commits can be seen, and of which server: the same text as long as nobody has committed anything, in whatever process. */
export async function readCommits(db: Queryable): Promise<string> {
  const { rows } = await db.execute<{ commits: string }>(
    sql`select pg_postmaster_start_time()::text || ' ' || pg_current_snapshot()::text as commits`
  )
  return rows[0]!.commits
}
