import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { lockConnection } from './lock.ts'

/** Brings the store to the newest schema. Safe to run from several processes at once. */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'panel-migrate' })
  await client.connect()
  try {
    // drizzle's migrate() takes no lock, and two panels may start at once.
    await lockConnection(client, 'migrations')
    await migrate(drizzle(client), {
      migrationsFolder: fileURLToPath(new URL('../../src/db/migrations', import.meta.url))
    })
  } finally {
    await client.end()
  }
}
