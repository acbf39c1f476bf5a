import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { sql } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '../src/db/database.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
import { settings } from '../src/db/schema/settings.ts'
import { createRowMaker } from './support/rows.ts'
import { execute, withDatabase } from './support/test-database.ts'

const migrationsFolder = new URL('../src/db/migrations', import.meta.url)
const schemaFolder = new URL('../src/db/schema/', import.meta.url)

let url: string
let db: Database
const cleanUps: (() => Promise<unknown>)[] = []

async function openEmptyDatabase(): Promise<{ url: string; db: Database }> {
  const adminUrl = inject('adminDatabaseUrl')
  const name = `panel_migrations_${randomBytes(6).toString('hex')}`
  await execute(adminUrl, `create database ${name}`)
  const opened = withDatabase(adminUrl, name)
  const db = openDatabase(opened, () => {})
  cleanUps.push(async () => {
    await db.$client.end()
    await execute(adminUrl, `drop database ${name} with (force)`)
  })
  return { url: opened, db }
}

beforeEach(async () => {
  ;({ url, db } = await openEmptyDatabase())
})
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

/** Applies only the first migration, which was the first release. */
async function migrateToBaseline(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'panel-migrations-'))
  cleanUps.push(() => rm(folder, { recursive: true }))
  await cp(fileURLToPath(migrationsFolder), folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: unknown[] }
  await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 1) }))
  await migrate(db, { migrationsFolder: folder })
}

const countApplied = async () =>
  (await db.execute<{ n: number }>(sql`select count(*)::int as n from drizzle.__drizzle_migrations`)).rows[0]!.n

test('concurrent starts on an empty database apply each migration once', async () => {
  await Promise.all([1, 2, 3].map(() => migrateDatabase(url)))
  const count = await countApplied()
  expect(count).toBeGreaterThan(0)
  await migrateDatabase(url)
  expect(await countApplied()).toBe(count)
  expect(await db.select().from(settings)).toEqual([])
})

test('a newer database is refused unchanged', async () => {
  await migrateDatabase(url)
  await db.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) select 'of tomorrow', max(created_at) + 1 from drizzle.__drizzle_migrations`
  )
  const before = await describeStore(db)
  await expect(migrateDatabase(url)).rejects.toThrow('a newer version')
  expect(await describeStore(db)).toEqual(before)
})

test('a database with foreign migrations is refused unchanged', async () => {
  await db.execute(sql`create schema drizzle`)
  await db.execute(
    sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`
  )
  // Older than the baseline, so that drizzle applies it.
  await db.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a checkout', 1795250891634)`
  )
  await db.execute(sql`create table users (id text primary key)`)
  const before = await describeStore(db)
  await expect(migrateDatabase(url)).rejects.toThrow('a development version')
  expect(await describeStore(db)).toEqual(before)
  expect(await countApplied()).toBe(1)
})

/** "table.column" whose values a migration deliberately rewrites. */
const rewritten: readonly string[] = []

test('a baseline database keeps its rows and gets the current schema', async () => {
  await migrateToBaseline()
  const rows = await createRowMaker(db, {})
  for (const table of await listTables(db)) {
    const row = await rows.prepare(table)
    await row.insert()
    await row.updateEachColumn()
  }
  const before = await readRows(db)
  for (const [table, found] of Object.entries(before)) expect(found, table).not.toEqual([])

  await migrateDatabase(url)
  const after = await readRows(db)
  for (const [table, kept] of Object.entries(before))
    expect(after[table], table).toEqual(
      expect.arrayContaining(kept.map((row) => expect.objectContaining(row) as object))
    )

  const { db: fresh } = await openEmptyDatabase()
  const schema = await importSchema()
  for (const statement of await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema)))
    await fresh.execute(sql.raw(statement))
  expect(await describeStore(db)).toEqual(await describeStore(fresh))
})

async function importSchema(): Promise<Record<string, unknown>> {
  const files = (await readdir(schemaFolder)).filter((name) => name.endsWith('.ts'))
  const modules = await Promise.all(files.map((name) => import(new URL(name, schemaFolder).href) as Promise<object>))
  return Object.assign({}, ...modules) as Record<string, unknown>
}

async function listTables(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`
  )
  return rows.map(({ name }) => name)
}

async function readRows(db: Database): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {}
  for (const table of await listTables(db)) {
    const { rows } = await db.execute<{ row: Record<string, unknown> }>(
      sql`select to_jsonb(t) as row from ${sql.identifier(table)} t`
    )
    const isKept = ([column]: [string, unknown]) => !rewritten.includes(`${table}.${column}`)
    found[table] = rows.map(({ row }) => Object.fromEntries(Object.entries(row).filter(isKept)))
  }
  return found
}

/** The schema as text, independent of column order. */
async function describeStore(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ part: string }>(sql`
    select format('column %s.%s %s not null %s default %s %s%s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
        pg_get_expr(adbin, adrelid), attidentity, attgenerated) as part
      from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    union all
    select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all
    select pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indrelid where relnamespace = 'public'::regnamespace
    union all
    select format('enum %s %s', enumtypid::regtype, array_agg(enumlabel order by enumsortorder)) from pg_enum group by enumtypid
    union all
    select format('sequence %s %s %s %s %s %s', seqrelid::regclass, seqstart, seqincrement, seqmin, seqmax, seqcycle)
      from pg_sequence join pg_class c on c.oid = seqrelid where relnamespace = 'public'::regnamespace
    order by 1`)
  return rows.map(({ part }) => part)
}
