import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../packages/server/src/db/database.ts'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded-postgres.ts'
import { migrateDatabase } from '../packages/server/src/db/migrate.ts'
import { createJobQueue } from '../packages/server/src/infra/job-queue/pg-boss-queue.ts'
import { run } from '../packages/server/src/infra/process/run.ts'
import { queueNames } from '../packages/server/src/features/index.ts'
import { report } from './figures.ts'
import { step } from './step.ts'

const count = 10_000
const concurrency = 4
const enqueuers = 8

interface Sample {
  ms: number
  cpuMs: number
}

/** Jobs through the queue, against the least that a queue in this store does: a row in, `for update skip locked`, a row out. */
export async function benchJobs(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'panel-bench-'))
  const store = await startEmbeddedPostgres(directory, { run, onRestart: () => {}, onFailure: () => {} })
  try {
    await step('migrating the store', () => migrateDatabase(store.url))
    const bare = await step(`${count} jobs through a bare table`, () => benchBare(store.url))
    const panel = await step(`${count} jobs through the queue`, () => benchPanel(store.url))
    for (const phase of ['enqueue', 'work'] as const) {
      report(`${phase} ${count} jobs`, `${(panel[phase].ms / 1000).toFixed(1)} s`, {
        value: panel[phase].ms / bare[phase].ms
      })
      report(`  ${phase}: CPU per job`, `${((panel[phase].cpuMs * 1000) / count).toFixed(0)} µs`, {
        value: panel[phase].cpuMs / bare[phase].cpuMs
      })
    }
  } finally {
    await store.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function benchPanel(url: string): Promise<Record<'enqueue' | 'work', Sample>> {
  const db = openDatabase(url, () => {})
  const logger = pino({ level: 'silent' })
  const jobs = await createJobQueue({ connectionString: url, db, queues: queueNames, logger })
  const queue = 'projects.purge'
  try {
    const enqueue = await measure(() =>
      inParallel((n) => db.transaction((trx) => jobs.enqueue(trx, queue, { projectId: '', n }, { key: String(n) })))
    )
    const work = await measure(async () => {
      let left = count
      await new Promise<void>((resolve, reject) => {
        const handler = async () => {
          if (--left === 0) resolve()
        }
        jobs.work(queue, { concurrency, timeoutSeconds: 60, retryLimit: 0 }, handler).catch(reject)
      })
    })
    return { enqueue, work }
  } finally {
    await jobs.stop()
    await db.$client.end()
  }
}

async function benchBare(url: string): Promise<Record<'enqueue' | 'work', Sample>> {
  const pool = new pg.Pool({ connectionString: url, max: enqueuers })
  try {
    await pool.query('create table bare_jobs (id int primary key generated always as identity, data jsonb not null)')
    const enqueue = await measure(() =>
      inParallel((n) => pool.query('insert into bare_jobs (data) values ($1)', [{ n }]))
    )
    const work = await measure(async () => {
      await Promise.all(Array.from({ length: concurrency }, () => takeAll(pool)))
    })
    return { enqueue, work }
  } finally {
    await pool.end()
  }
}

async function takeAll(pool: pg.Pool): Promise<void> {
  const take =
    'delete from bare_jobs where id = (select id from bare_jobs order by id limit 1 for update skip locked) returning id'
  while ((await pool.query(take)).rowCount === 1);
}

async function inParallel(work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const workOff = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: enqueuers }, workOff))
}

async function measure(work: () => Promise<unknown>): Promise<Sample> {
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  await work()
  const cpu = process.cpuUsage(cpuBefore)
  return { ms: performance.now() - startedAt, cpuMs: (cpu.user + cpu.system) / 1000 }
}
