import { sql } from 'drizzle-orm'
import type { Database } from '../../src/db/database.ts'

/** Deletes all rows and jobs and restarts the sequences, a tenth of the time of a new database. No trigger runs. */
export async function emptyStore(db: Database): Promise<void> {
  await db.execute(sql`
    do $$
    declare name regclass;
    begin
      set local session_replication_role = replica;
      for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('delete from %s', name);
      end loop;
      delete from pgboss.job;
      perform setval(seqrelid, seqstart, false) from pg_sequence join pg_class on pg_class.oid = seqrelid
        where relnamespace = 'public'::regnamespace;
    end $$`)
}
