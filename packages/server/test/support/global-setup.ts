import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/db/database.ts'
import { migrateDatabase } from '../../src/db/migrate.ts'
import { queueNames } from '../../src/features/index.ts'
import { createJobQueue } from '../../src/infra/job-queue/pg-boss-queue.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { startPassingStore } from './passing-store.ts'
import { apiPrograms, requirePrograms } from './programs.ts'
import { createRedisServer } from './redis-server.ts'
import { execute, withDatabase } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    adminDatabaseUrl: string
    /** Database with the schema of the panel and the job queue, used as a template. */
    templateDatabase: string
    /** Redis shared by two applications of one panel (TEST_PROCESSES=2). */
    redisUrl: string | undefined
  }
}

/**
 * One PostgreSQL for all API tests: TEST_DATABASE_URL, Debian's (TEST_STORE=debian) or the embedded one.
 * TEST_PROCESSES=2 also starts Redis and makes each panel two applications (panel.ts).
 */
export default async function setup(project: TestProject) {
  await requirePrograms(apiPrograms)
  const store = await startStore()
  const templateDatabase = `panel_template_${process.pid}_${Date.now()}`
  await execute(store.url, `create database ${templateDatabase}`)
  await fillTemplate(withDatabase(store.url, templateDatabase))
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

async function fillTemplate(connectionString: string): Promise<void> {
  await migrateDatabase(connectionString)
  const db = openDatabase(connectionString, () => {})
  const logger = pino({ level: 'silent' })
  const jobs = await createJobQueue({ connectionString, db, queues: queueNames, logger })
  await jobs.stop()
  await db.$client.end()
}

async function startStore(): Promise<{ url: string; stop(): Promise<void> }> {
  const { TEST_DATABASE_URL, TEST_STORE } = process.env
  if (TEST_DATABASE_URL !== undefined) return { url: TEST_DATABASE_URL, stop: async () => {} }
  if (TEST_STORE === 'debian') return startDebianPostgres()
  return startPassingStore()
}
