import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { checkApplied, migrateDatabase, readApplied } from './migrate.ts'
import { filterOf, listSequences, listStoreTables, type StoreTable } from './store-tables.ts'

/** What a dump of the store consists of, besides a file per table. */
export const StoreDump = z.object({
  /** Hashes of the applied migrations, in order. */
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int(),
      sha256: z.string()
    })
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() }))
})
export type StoreDump = z.infer<typeof StoreDump>

const idleLimitMs = 5 * 60_000

export const fileOfTable = ({ schema, name }: Pick<StoreTable, 'schema' | 'name'>): string => `${schema}.${name}.copy`

/**
 * Writes all rows of one moment into a new file per table, without locking out writers. The store's own PostgreSQL
 * comes without pg_dump, so this uses COPY, whose text format every major version reads.
 */
export function dumpStore(connectionString: string, directory: string, signal: AbortSignal): Promise<StoreDump> {
  return withClient(connectionString, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const migrations = await readApplied(client)
    const tables: StoreDump['tables'] = []
    for (const table of await listStoreTables(client)) {
      const path = join(directory, fileOfTable(table))
      const { schema, name, columns } = table
      tables.push({ schema, name, columns, ...(await writeRows(client, table, path, signal)) })
    }
    // Sequences are not transactional: read last, so that none is behind the rows.
    const sequences = await listSequences(client)
    await client.query('commit')
    return { migrations, tables, sequences }
  })
}

async function writeRows(client: pg.Client, table: StoreTable, path: string, signal: AbortSignal) {
  // A server that hangs ends the dump; a large table does not.
  const idle = new AbortController()
  const tick = () => idle.abort(new Error(`The store stopped sending rows of the table ${table.name}`)) // oxfmt-ignore
  const timer = setTimeout(tick, idleLimitMs)
  const names = (columns: string[]) => columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const order = table.key.length === 0 ? '' : `order by ${names(table.key)}`
  const query = `select ${names(table.columns)} from ${qualified(client, table)} ${filterOf(table)} ${order}`
  const rows = client.query(copyTo(`copy (${query}) to stdout`))
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      timer.refresh()
      hash.update(chunk)
      done(null, chunk)
    }
  })
  try {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    await pipeline(rows, hashing, file, { signal: AbortSignal.any([signal, idle.signal]) })
  } finally {
    clearTimeout(timer)
  }
  return { rows: rows.rowCount, sha256: hash.digest('hex') }
}

/** Rejects dumps of newer versions. */
export const checkDump = ({ migrations }: StoreDump): void => checkApplied(migrations)

export const isAnyAccount = (connectionString: string): Promise<boolean> =>
  withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('public.users') is not null as exists`)
    if (!rows[0]!.exists) return false
    return (await client.query('select from users limit 1')).rowCount === 1
  })

/**
 * Replaces all rows of a store with those of a dump, in one transaction, and migrates to the schema of this version.
 * Rejects and changes nothing if the dump is of a newer version, or if a table gets another number of rows.
 */
export async function loadStore(
  connectionString: string,
  directory: string,
  dump: StoreDump,
  /** Creates the tables of the job queue, which have no migration of ours. */
  prepareJobs: () => Promise<void>
): Promise<void> {
  checkDump(dump)
  await migrateDatabase(connectionString, dump.migrations.length)
  await prepareJobs()
  await withClient(connectionString, async (client) => {
    const present = new Map((await listStoreTables(client)).map((table) => [qualified(client, table), table.schema]))
    await client.query('begin')
    const foreignKeys = await dropForeignKeys(client)
    for (const table of present.keys()) await client.query(`alter table ${table} disable trigger user`)
    for (const [table, schema] of present)
      // Waiting jobs of this store are about rows that go.
      await client.query(schema === 'public' ? `truncate ${table}` : `delete from ${table}`)
    for (const table of dump.tables) {
      const read = () => readRows(client, table, join(directory, fileOfTable(table)))
      await (table.schema === 'public' ? read() : ifPossible(client, read))
    }
    for (const { name, value, isCalled } of dump.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [client.escapeIdentifier(name), value, isCalled])
    for (const table of present.keys()) await client.query(`alter table ${table} enable trigger user`)
    // Adding them checks every reference.
    for (const { table, name, definition } of foreignKeys)
      await client.query(`alter table ${table} add constraint ${client.escapeIdentifier(name)} ${definition}`)
    await client.query('commit')
  })
  await migrateDatabase(connectionString)
}

async function readRows(client: pg.Client, table: StoreDump['tables'][number], path: string): Promise<void> {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const rows = client.query(copyFrom(`copy ${qualified(client, table)} (${columns}) from stdin`))
  await pipeline(createReadStream(path), rows)
  if (rows.rowCount !== table.rows)
    throw new Error(`The table ${table.name} got ${rows.rowCount} rows of the backup instead of ${table.rows}`)
}

/** Jobs of a version with other queues are skipped: the reconcile loop enqueues again what rows need. */
async function ifPossible(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('savepoint jobs')
  try {
    await work()
  } catch {
    await client.query('rollback to savepoint jobs')
  }
}

/** Instead of session_replication_role, which only a superuser may set. */
async function dropForeignKeys(client: pg.Client): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${client.escapeIdentifier(name)}`)
  return rows
}

const qualified = (client: pg.Client, { schema, name }: Pick<StoreTable, 'schema' | 'name'>): string =>
  `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`

/** No time limit of a statement: COPY of the largest table takes as long as it takes. */
async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'panel-backup'
  })
  client.on('error', () => {}) // The query in progress rejects with it.
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
