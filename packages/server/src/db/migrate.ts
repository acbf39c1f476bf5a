import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { lockConnection } from './lock.ts'

const migrationsFolder = fileURLToPath(new URL('../../src/db/migrations', import.meta.url))

/**
 * Brings the store to the latest schema. Safe to run from several processes at once. Rejects, and changes nothing, where a newer version or
 * another line of development has migrated the store.
 */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'panel-migrate' })
  await client.connect()
  try {
    // drizzle's migrate() takes no lock, and two panels may start at once.
    await lockConnection(client, 'migrations')
    checkApplied(await readApplied(client))
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

/** Hashes of the migrations that the store has, in their order. */
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

/** drizzle compares dates only: it applies what is younger than the store's last migration, whatever the store consists of. */
function checkApplied(applied: readonly string[]): void {
  const known = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
  if (known.some((hash, index) => index < applied.length && hash !== applied[index]))
    throw new Error(
      'The store was created by a development version whose migrations are not those of this version; nothing was changed. ' +
        'Start that version again, or start this one with an empty store: another DATA_DIR, or another database in DATABASE_URL'
    )
  if (applied.length > known.length)
    throw new Error(
      'The store has the schema of a newer version of the panel; nothing was changed. Start that version, or restore the copy of DATA_DIR that was made before the upgrade'
    )
}
