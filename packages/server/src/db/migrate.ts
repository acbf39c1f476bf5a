import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { lockConnection } from './lock.ts'

const migrationsFolder = fileURLToPath(new URL('../../src/db/migrations', import.meta.url))

/** Brings the store to the newest schema. Safe to run from several processes at once. Rejects where a newer version has been at it. */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'panel-migrate' })
  await client.connect()
  try {
    // drizzle's migrate() takes no lock, and two panels may start at once.
    await lockConnection(client, 'migrations')
    await refuseNewerSchema(client)
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

/** An older version would write rows as they no longer are, and drizzle says nothing: it looks only for what is missing. */
async function refuseNewerSchema(client: pg.Client): Promise<void> {
  const { rows: known } = await client.query(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`
  )
  if (!known[0].isThere) return
  const { rows } = await client.query<{ newest: string | null }>(
    'select max(created_at) as newest from drizzle.__drizzle_migrations'
  )
  const latest = Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis))
  if (Number(rows[0]?.newest ?? 0) > latest)
    throw new Error(
      'The store has the schema of a newer version of the panel: start that version, or put the copy of DATA_DIR back that was made before it'
    )
}
