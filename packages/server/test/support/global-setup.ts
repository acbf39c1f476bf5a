import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { migrateDatabase } from '../../src/db/migrate.ts'
import { run } from '../../src/infra/process/run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a server where tests may make databases. */
    adminDatabaseUrl: string
    /** A migrated database to copy from. */
    templateDatabase: string
  }
}

/** One PostgreSQL for all API tests: TEST_DATABASE_URL, else the embedded one in a folder of its own. */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL
  const directory = given === undefined ? await mkdtemp(join(tmpdir(), 'panel-test-')) : undefined
  const store = directory === undefined ? undefined : await startEmbeddedPostgres(directory, run)
  const adminUrl = given ?? store!.url
  const templateDatabase = `panel_template_${process.pid}_${Date.now()}`
  await execute(adminUrl, `create database ${templateDatabase}`)
  await migrateDatabase(withDatabase(adminUrl, templateDatabase))
  project.provide('adminDatabaseUrl', adminUrl)
  project.provide('templateDatabase', templateDatabase)
  return async () => {
    await execute(adminUrl, `drop database ${templateDatabase}`)
    await store?.stop()
    if (directory !== undefined) await rm(directory, { recursive: true, force: true })
  }
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

export async function execute(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
