import { sql } from 'drizzle-orm'
import type { Queryable } from './database.ts'

/** How often each table has been written to. */
export type TableWrites = ReadonlyMap<string, string>

/**
 * As PostgreSQL counts it: at the latest ten seconds after a commit, and of every process. The figures only say that something changed:
 * a restart of the store begins them anew.
 */
export async function countTableWrites(db: Queryable): Promise<TableWrites> {
  const { rows } = await db.execute<{ table: string; writes: string }>(
    sql`select relname as table, (n_tup_ins + n_tup_upd + n_tup_del)::text as writes
        from pg_stat_user_tables where schemaname = current_schema()`
  )
  return new Map(rows.map(({ table, writes }) => [table, writes]))
}

/** Whether the store counts at all: its administrator can switch that off (track_counts), and only a superuser on again. */
export async function areWritesCounted(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ track_counts: string }>(sql`show track_counts`)
  return rows[0]!.track_counts === 'on'
}
