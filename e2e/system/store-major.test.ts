import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../packages/server/src/db/database.ts'
import { majorOfStore, nativeOf, startEmbeddedPostgres } from '../../packages/server/src/db/embedded-postgres.ts'
import { migrateDatabase } from '../../packages/server/src/db/migrate.ts'
import { listStoreTables } from '../../packages/server/src/db/store-tables.ts'
import { queueNames } from '../../packages/server/src/features/index.ts'
import { createJobQueue } from '../../packages/server/src/infra/job-queue/pg-boss-queue.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { moveStoreToOwnMajor } from '../../packages/server/src/upgrade/store-major.ts'
import { installOtherPostgres } from '../support/other-postgres.ts'

const logger = pino({ level: 'silent' })
let directory: string
let previousRoot: string

beforeAll(async () => {
  previousRoot = await installOtherPostgres()
  directory = await mkdtemp(join(tmpdir(), 'panel-major-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function withStore<T>(native: string | undefined, use: (url: string) => Promise<T>): Promise<T> {
  const ignore = () => {}
  const server = await startEmbeddedPostgres(join(directory, 'store'), { run, onRestart: ignore, onFailure: ignore, ...(native === undefined ? {} : { native }) }) // oxfmt-ignore
  return use(server.url).finally(() => server.stop())
}

async function query<Row extends pg.QueryResultRow>(url: string, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query<Row>(statement, values).finally(() => client.end())
}

async function fill(url: string): Promise<void> {
  await migrateDatabase(url)
  await query(url, `insert into users (id, email, name, password_hash, role) select 'u' || n, 'u' || n || '@example.com', E'line\\n\\t\\\\ü' || n, 'x', 'USER' from generate_series(1, 1000) n`) // oxfmt-ignore
  await query(url, `insert into settings (key, value) values ('kept', 'ä')`)
  const db = openDatabase(url, () => {})
  const jobs = await createJobQueue({ connectionString: url, db, queues: queueNames, logger })
  await db.transaction((trx) => jobs.enqueue(trx, 'projects.purge', { projectId: 'p' }, { key: 'p' }))
  await jobs.stop()
  await db.$client.end()
}

/** A checksum per table, and each sequence with its value. */
async function contentsOf(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found: Record<string, unknown> = {}
    for (const { schema, name } of await listStoreTables(client)) {
      const { rows } = await client.query<{ sum: string }>(`select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as sum from ${schema}.${name} t`) // oxfmt-ignore
      found[`${schema}.${name}`] = rows[0]!.sum
    }
    const { rows } = await client.query(`select schemaname, sequencename, last_value from pg_sequences order by 1, 2`)
    return { ...found, sequences: rows }
  } finally {
    await client.end()
  }
}

test('a store of the previous major version of PostgreSQL is moved with every row', async () => {
  const work = join(directory, 'work')
  const steps: string[] = []
  const move = () => moveStoreToOwnMajor({ store: join(directory, 'store'), work, previousRoot, run, logger, step: (text) => steps.push(text) }) // oxfmt-ignore
  const native = nativeOf(pathToFileURL(join(previousRoot, 'package.json')).href)
  const before = await withStore(native, async (url) => {
    await fill(url)
    return contentsOf(url)
  })
  expect(await majorOfStore(join(directory, 'store'))).toBe('17')
  await expect(withStore(undefined, async () => {})).rejects.toThrow('was created by PostgreSQL 17')

  await move()
  expect(steps).toEqual(['Moving the database from PostgreSQL 17 to 18'])
  expect(await withStore(undefined, contentsOf)).toEqual(before)
  expect(await readdir(work)).toEqual([])

  await move()
  expect(steps).toHaveLength(1)
})
