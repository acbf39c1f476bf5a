import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { migrateDatabase } from '../../src/db/migrate.ts'
import { run } from '../../src/infra/process/run.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { apiPrograms, requirePrograms } from './programs.ts'
import { createRedisServer } from './redis-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a server where tests may make databases. */
    adminDatabaseUrl: string
    /** A migrated database to copy from. */
    templateDatabase: string
    /** Of a Redis that two applications of one panel share (TEST_PROCESSES=2). */
    redisUrl: string | undefined
  }
}

/**
 * One PostgreSQL for all API tests: the one at TEST_DATABASE_URL, Debian's (TEST_STORE=debian), else the embedded one. With TEST_PROCESSES=2
 * a Redis too: each panel is two applications then (panel.ts).
 */
export default async function setup(project: TestProject) {
  await requirePrograms(apiPrograms)
  const store = await startStore()
  const templateDatabase = `panel_template_${process.pid}_${Date.now()}`
  await execute(store.url, `create database ${templateDatabase}`)
  await migrateDatabase(withDatabase(store.url, templateDatabase))
  project.provide('adminDatabaseUrl', store.url)
  project.provide('templateDatabase', templateDatabase)
  const redis = process.env.TEST_PROCESSES === '2' ? await createRedisServer() : undefined
  await redis?.start()
  project.provide('redisUrl', redis?.url)
  return async () => {
    await redis?.close()
    await execute(store.url, `drop database ${templateDatabase}`)
    await store.stop()
  }
}

async function startStore(): Promise<{ url: string; stop(): Promise<void> }> {
  const { TEST_DATABASE_URL, TEST_STORE } = process.env
  if (TEST_DATABASE_URL !== undefined) return { url: TEST_DATABASE_URL, stop: async () => {} }
  if (TEST_STORE === 'debian') return startDebianPostgres()
  const directory = await mkdtemp(join(tmpdir(), 'panel-test-'))
  const onFailure = (error: unknown) => console.error('the test store is gone', error)
  const store = await startEmbeddedPostgres(directory, { run, onRestart: () => {}, onFailure })
  return {
    url: store.url,
    async stop() {
      await store.stop()
      for (const path of [directory, socketDirectoryOf(store.url)]) await rm(path, { recursive: true, force: true })
    }
  }
}

/** Where the server of the URL has its socket: outside of its folder, which may have too long a path. */
export const socketDirectoryOf = (url: string): string => new URL(url).searchParams.get('host')!

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
