import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

// Any number that nothing else locks: drizzle's migrate() takes no lock, and two panels may start at once.
const migrationLock = 7_236_241

/** Brings the store to the newest schema. Safe to run from several processes at once. */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'panel-migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(client), {
      migrationsFolder: fileURLToPath(new URL('../../src/db/migrations', import.meta.url))
    })
  } finally {
    await client.end()
  }
}
