import { sql } from 'drizzle-orm'
import pg from 'pg'
import { connectLimitMs } from './connect-limit.ts'
import { type Database, openDatabase, type Queryable } from './database.ts'
import { loadStore, type StoreDump } from './store-dump.ts'

interface ScratchOptions {
  /** Of the database, which goes afterwards. One that a killed process left is replaced. */
  name: string
  directory: string
  dump: StoreDump
  /** Other tables stay empty. The list must contain what these refer to. */
  tables: readonly string[]
}

/** Loads tables of a dump into a database of its own beside the store, with the newest schema, for the time of `work`. */
export async function withScratchStore<T>(
  connectionString: string,
  { name, directory, dump, tables }: ScratchOptions,
  work: (db: Database) => Promise<T>
): Promise<T> {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  await dropScratchStore(connectionString, name)
  // template1 cannot be copied while a session is connected to it.
  await execute(connectionString, `create database ${pg.escapeIdentifier(name)} template template0`)
  try {
    const wanted = dump.tables.filter((table) => table.schema === 'public' && tables.includes(table.name))
    await loadStore(url.href, directory, { ...dump, tables: wanted }, async () => {})
    const db = openDatabase(url.href, () => {})
    try {
      return await work(db)
    } finally {
      await db.$client.end()
    }
  } finally {
    await dropScratchStore(connectionString, name)
  }
}

export const dropScratchStore = (connectionString: string, name: string): Promise<void> =>
  execute(connectionString, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)

/** What follows `prefix` in the names of databases beside the store. */
export async function listScratchStores(db: Queryable, prefix: string): Promise<string[]> {
  const { rows } = await db.execute<{ rest: string }>(
    sql`select substr(datname, ${prefix.length + 1}::int) as rest from pg_database where starts_with(datname, ${prefix})`
  )
  return rows.map(({ rest }) => rest)
}

async function execute(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: 60_000,
    application_name: 'panel-restore'
  })
  client.on('error', () => {}) // The query in progress rejects with it.
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
