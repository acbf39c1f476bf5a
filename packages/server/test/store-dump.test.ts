import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { dumpStore, fileOfTable, loadStore, type StoreDump } from '../src/db/store-dump.ts'
import { users } from '../src/db/schema/users.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let directory: string
let dump: StoreDump
const address = ({ deps }: TestPanel) => deps.db.$client.options.connectionString!
const { signal } = new AbortController()
const jobsAreThere = async () => {}
beforeAll(async () => {
  panel = await createTestPanel()
  const ann = await panel.signUp('ann')
  await ann.createProject()
  // What COPY has to escape.
  await panel.deps.db.update(users).set({ name: 'ä\\t\\N\t\n' })
  const { db, jobs } = panel.deps
  await db.transaction((trx) => jobs.enqueue(trx, 'backups.run', {}, { key: 'waiting' }))
  directory = await mkdtemp(join(tmpdir(), 'panel-dump-'))
  dump = await dumpStore(address(panel), directory, signal)
})
afterAll(async () => {
  await panel.close()
  await rm(directory, { recursive: true, force: true })
})

async function rowsOf(connectionString: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const found: Record<string, unknown> = {}
    for (const { schema, name } of dump.tables) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from "${schema}"."${name}" t order by 1`
      )
      found[`${schema}.${name}`] = rows.map(({ row }) => row)
    }
    const { rows } = await client.query(`select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`) // oxfmt-ignore
    const { rows: constraints } = await client.query(`select conname, pg_get_constraintdef(oid) as text from pg_constraint where connamespace = 'public'::regnamespace order by 1`) // oxfmt-ignore
    const { rows: triggers } = await client.query(`select tgname, tgenabled from pg_trigger where not tgisinternal order by 1`) // oxfmt-ignore
    return { ...found, sequences: rows, constraints, triggers }
  } finally {
    await client.end()
  }
}

test('a dump is loaded row by row into a store that has other rows', async () => {
  const other = await createTestPanel()
  try {
    await other.signUp('someone')
    await loadStore(address(other), directory, dump, jobsAreThere)
    const before = await rowsOf(address(panel))
    expect(before['public.users']).toHaveLength(1)
    expect(before['pgboss.job']).not.toEqual([])
    expect(await rowsOf(address(other))).toEqual(before)
  } finally {
    await other.close()
  }
})

test('a dump of a newer version, or one with fewer rows than it had, changes nothing', async () => {
  const other = await createTestPanel()
  try {
    await other.signUp('someone')
    const before = await rowsOf(address(other))
    await expect(loadStore(address(other), directory, { ...dump, migrations: [...dump.migrations, 'newer'] }, jobsAreThere)).rejects.toThrow('newer') // oxfmt-ignore
    const short = await mkdtemp(join(tmpdir(), 'panel-dump-'))
    for (const table of dump.tables) await writeFile(join(short, fileOfTable(table)), '')
    await expect(loadStore(address(other), short, dump, jobsAreThere)).rejects.toThrow('rows')
    await rm(short, { recursive: true })
    expect(await rowsOf(address(other))).toEqual(before)
  } finally {
    await other.close()
  }
})

test('an empty database gets the schema too, and goes without jobs that it has no queue for', async () => {
  const name = `panel_test_dump_${process.pid}`
  const admin = new pg.Client({ connectionString: inject('adminDatabaseUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(address(panel))
  url.pathname = name
  try {
    await loadStore(url.href, directory, dump, jobsAreThere)
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    expect((await client.query('select name from users')).rows).toHaveLength(1)
    await client.end()
  } finally {
    await admin.query(`drop database if exists ${name}`)
    await admin.end()
  }
})
