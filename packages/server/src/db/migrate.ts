import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { lockConnection } from './lock.ts'
import { connectLimitMs } from './connect-limit.ts'

const migrationsFolder = fileURLToPath(new URL('../../src/db/migrations', import.meta.url))

/** Safe to run concurrently. Rejects and changes nothing if a newer or diverging version has migrated the database. */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'panel-migrate'
  })
  await client.connect()
  try {
    // drizzle's migrate() takes no lock.
    await lockConnection(client, 'migrations')
    checkApplied(await readApplied(client))
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

async function readApplied(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as "exists"`
  )
  if (!tables[0].exists) return []
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at'
  )
  return rows.map(({ hash }) => hash)
}

/** drizzle compares dates only: it applies whatever is newer than the last migration, even onto an unknown schema. */
function checkApplied(applied: readonly string[]): void {
  const known = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
  if (known.some((hash, index) => index < applied.length && hash !== applied[index]))
    throw new Error(
      'The database was created by a development version with different migrations. Nothing was changed. ' +
        'Start that version again, or start this one with an empty database: set another DATA_DIR or DATABASE_URL.'
    )
  if (applied.length > known.length)
    throw new Error(
      'The database has the schema of a newer version of the panel. Nothing was changed. Start that version, or restore the backup of DATA_DIR from before the upgrade.'
    )
}
