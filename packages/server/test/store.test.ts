import { randomBytes } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { pino } from 'pino'
import { type Database, openDatabase } from '../src/db/database.ts'
import { hasEmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { migrateDatabase } from '../src/db/migrate.ts'
import { settings } from '../src/db/schema/settings.ts'
import { checkEncryptionKey } from '../src/store.ts'
import type { JobQueue } from '../src/infra/job-queue/job-queue.ts'
import { createJobQueue } from '../src/infra/job-queue/pg-boss-queue.ts'
import { run } from '../src/infra/process/run.ts'
import { createSecretBox } from '../src/infra/secret-box/secret-box.ts'
import { queueNames } from '../src/features/index.ts'
import type { QueueName } from '../src/jobs.ts'
import { execute, socketDirectoryOf, withDatabase } from './support/global-setup.ts'

const logger = pino({ level: 'silent' })

/** A database of its own, empty or with the schema. */
async function newDatabase(template?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('adminDatabaseUrl')
  const name = `panel_store_${randomBytes(6).toString('hex')}`
  await execute(adminUrl, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  return { url: withDatabase(adminUrl, name), drop: () => execute(adminUrl, `drop database ${name} with (force)`) }
}

describe('migrations', () => {
  test('of three processes that start on an empty database at once, each finds the schema', async () => {
    const { url, drop } = await newDatabase()
    const db = openDatabase(url, () => {})
    try {
      await Promise.all([1, 2, 3].map(() => migrateDatabase(url)))
      const applied = async () =>
        (await db.execute<{ n: number }>(sql`select count(*)::int as n from drizzle.__drizzle_migrations`)).rows[0]!.n
      const count = await applied()
      expect(count).toBeGreaterThan(0)
      await migrateDatabase(url)
      expect(await applied()).toBe(count)
      expect(await db.select().from(settings)).toEqual([])
    } finally {
      await db.$client.end()
      await drop()
    }
  })

  test('the same of the job queue’s tables', async () => {
    const { url, drop } = await newDatabase()
    const db = openDatabase(url, () => {})
    try {
      const queues = await Promise.all(
        [1, 2, 3].map(() => createJobQueue({ connectionString: url, db, queues: queueNames, logger }))
      )
      await Promise.all(queues.map((queue) => queue.stop()))
    } finally {
      await db.$client.end()
      await drop()
    }
  })
})

describe('the encryption key', () => {
  let db: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await newDatabase(inject('templateDatabase'))
    drop = database.drop
    db = openDatabase(database.url, () => {})
  })
  afterAll(async () => {
    await db.$client.end()
    await drop()
  })
  const box = createSecretBox('the first key, of sufficient length')
  const canary = async () => (await db.select().from(settings).where(eq(settings.key, 'encryption_canary')))[0]!.value

  test('of several first starts at once one leaves the mark, and all agree', async () => {
    await Promise.all([1, 2, 3, 4].map(() => checkEncryptionKey(db, box)))
    expect(box.open(await canary())).toBe('panel')
  })

  test('another key refuses to start, says what to do, and changes nothing', async () => {
    const before = await canary()
    const other = createSecretBox('another key, also of sufficient length')
    await expect(checkEncryptionKey(db, other)).rejects.toThrow(/ENCRYPTION_KEY.*former key; nothing was changed/)
    expect(await canary()).toBe(before)
    await checkEncryptionKey(db, box)
  })

  test('a mark that is no mark refuses too', async () => {
    for (const value of ['', 'panel', box.seal('something else')]) {
      await db.update(settings).set({ value }).where(eq(settings.key, 'encryption_canary'))
      await expect(checkEncryptionKey(db, box)).rejects.toThrow('ENCRYPTION_KEY')
    }
  })
})

describe('the job queue', () => {
  let url: string
  let drop: () => Promise<void>
  let db: Database
  let jobs: JobQueue
  beforeAll(async () => {
    ;({ url, drop } = await newDatabase(inject('templateDatabase')))
    db = openDatabase(url, () => {})
    jobs = await createJobQueue({ connectionString: url, db, queues: queueNames, logger })
  })
  afterAll(async () => {
    await jobs.stop()
    await db.$client.end()
    await drop()
  })

  const waiting = async (queue: QueueName) =>
    (
      await db.execute<{ data: { n: number } }>(
        sql`select data from pgboss.job where name = ${queue} and state = 'created' order by created_on, id`
      )
    ).rows.map((row) => row.data.n)
  const add = (queue: QueueName, n: number, key?: string) =>
    db.transaction((trx) => jobs.enqueue(trx, queue, { n }, key === undefined ? {} : { key }))
  /** Works a queue off and notes what it got. */
  const work = async (queue: QueueName, concurrency = 1) => {
    const done: number[] = []
    await jobs.work(queue, { concurrency, timeoutSeconds: 60, retryLimit: 0 }, async (data) => {
      done.push((data as { n: number }).n)
    })
    return done
  }

  test('a rollback drops the job with the rows, a commit keeps both, and it runs', async () => {
    const queue = 'projects.purge'
    const attempt = db.transaction(async (trx) => {
      await trx.insert(settings).values({ key: 'rolled', value: 'back' })
      await jobs.enqueue(trx, queue, { n: 1 })
      throw new Error('changed my mind')
    })
    await expect(attempt).rejects.toThrow('changed my mind')
    expect(await db.select().from(settings)).toEqual([])
    expect(await waiting(queue)).toEqual([])

    await db.transaction(async (trx) => {
      await trx.insert(settings).values({ key: 'kept', value: '' })
      await jobs.enqueue(trx, queue, { n: 2 })
      expect(await waiting(queue)).toEqual([])
    })
    expect(await waiting(queue)).toEqual([2])
    const done = await work(queue)
    await expect.poll(() => done, { timeout: 20_000 }).toEqual([2])
    await add(queue, 3)
    await expect.poll(() => done, { timeout: 20_000 }).toEqual([2, 3])
  })

  test('of waiting jobs with one key one is kept; with none or another each', async () => {
    const queue = 'containers.retire'
    await add(queue, 1, 'a')
    await add(queue, 2, 'a')
    await add(queue, 3, 'b')
    await add(queue, 4)
    await add(queue, 5)
    await Promise.all([6, 7, 8, 9].map((n) => add(queue, n, 'c')))
    const kept = await waiting(queue)
    expect(kept.filter((n) => n < 6)).toEqual([1, 3, 4, 5])
    expect(kept.filter((n) => n >= 6)).toHaveLength(1)
    await add('deployments.image', 1, 'a')
    expect(await waiting('deployments.image')).toEqual([1])

    const done = await work(queue, 2)
    await expect.poll(() => done.length, { timeout: 20_000 }).toBe(5)
    // Its predecessor runs or has run: the key is free again, also after a worker has begun with the queue.
    await add(queue, 10, 'a')
    await expect.poll(() => done, { timeout: 20_000 }).toContain(10)
  })

  test('a rolled back job does not stand for one that was to be kept', async () => {
    const queue = 'deployments.image'
    let insideFirst!: () => void
    let letFirstEnd!: () => void
    const inside = new Promise<void>((resolve) => (insideFirst = resolve))
    const end = new Promise<void>((resolve) => (letFirstEnd = resolve))
    const first = db.transaction(async (trx) => {
      await jobs.enqueue(trx, queue, { n: 20 }, { key: 'rolled' })
      insideFirst()
      await end
      throw new Error('rolled back')
    })
    await inside
    const second = add(queue, 21, 'rolled')
    letFirstEnd()
    await expect(first).rejects.toThrow('rolled back')
    await second
    expect(await waiting(queue)).toContain(21)
    expect(await waiting(queue)).not.toContain(20)
  })

  test('a job that stands for two does not start before the second’s rows can be seen', async () => {
    const queue = 'deployments.build'
    const seen: { n: number; rows: string[] }[] = []
    await add(queue, 1, 'next')
    await db.transaction(async (trx) => {
      await trx.insert(settings).values({ key: 'second', value: '' })
      await jobs.enqueue(trx, queue, { n: 2 }, { key: 'next' })
      await jobs.work(queue, { concurrency: 1, timeoutSeconds: 60, retryLimit: 0 }, async (data) => {
        const { n } = data as { n: number }
        seen.push({ n, rows: (await db.select().from(settings)).map((row) => row.key) })
      })
      // Made later, so that the one worker has passed over the first when it comes to this.
      await add(queue, 3, 'other')
      await expect.poll(() => seen.map(({ n }) => n), { timeout: 20_000 }).toContain(3)
      expect(seen.map(({ n }) => n)).toEqual([3])
    })
    await expect.poll(() => seen.map(({ n }) => n), { timeout: 20_000 }).toEqual([3, 1])
    expect(seen[1]!.rows).toContain('second')
  })

  test('a queue of before, under another policy, follows', async () => {
    await db.execute(sql`update pgboss.queue set policy = 'standard'`)
    const again = await createJobQueue({ connectionString: url, db, queues: queueNames, logger })
    try {
      const { rows } = await db.execute<{ policy: string }>(
        sql`select distinct policy from pgboss.queue where name in ${[...queueNames]}`
      )
      expect(rows).toEqual([{ policy: 'short' }])
    } finally {
      await again.stop()
    }
  })
})

describe.skipIf(!hasEmbeddedPostgres())('the embedded store', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'panel-embedded-'))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  const start = (onRestart = () => {}) => startEmbeddedPostgres(directory, { run, onRestart, onFailure: () => {} })
  const pid = async () => parseInt(await readFile(join(directory, 'cluster', 'postmaster.pid'), 'utf8'), 10)
  /** Also one that nobody has reaped yet is gone. */
  const isGone = async (process: number) => {
    const status = await readFile(`/proc/${process}/status`, 'utf8').catch(() => 'State:\tZ')
    return status.includes('State:\tZ')
  }
  const query = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {}) // The server is killed on purpose.
    await client.connect()
    try {
      return (await client.query<{ n: number }>(text)).rows
    } finally {
      await client.end()
    }
  }

  test('a kill -9 of its server loses nothing that was committed: it is started again', async () => {
    let restarts = 0
    const store = await start(() => restarts++)
    try {
      await query(store.url, 'create table kept (n int)')
      await query(store.url, 'insert into kept select generate_series(1, 1000)')
      process.kill(await pid(), 'SIGKILL')
      const count = () => query(store.url, 'select count(*)::int as n from kept').catch(() => 'away')
      await expect.poll(() => (restarts > 0 ? count() : 'away'), { timeout: 50_000 }).toEqual([{ n: 1000 }])
    } finally {
      await store.stop()
    }
  })

  test('a stop ends it, and the next start has what was there', async () => {
    const first = await start()
    const server = await pid()
    await first.stop()
    expect(await isGone(server)).toBe(true)
    const second = await start()
    expect(second.url).toBe(first.url)
    expect(await query(second.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await second.stop()
  })

  test('a lock that a power cut left behind does not keep it down, whatever has the number by now', async () => {
    // This very process: it lives, and it may be signalled, which is all that PostgreSQL asks.
    const lines = [process.pid, join(directory, 'cluster'), 1_700_000_000, 5432, '', '', '', 'ready']
    await writeFile(join(directory, 'cluster', 'postmaster.pid'), `${lines.join('\n')}\n`)
    const store = await start()
    expect(await pid()).not.toBe(process.pid)
    expect(await query(store.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await store.stop()
  })

  test('two panels do not share one folder', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow('Another panel')
    await first.stop()
  })

  test('a server that a killed panel left running is adopted, and stopped in the end', async () => {
    const script = fileURLToPath(new URL('support/embedded-postgres-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', script, directory], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const server = await pid()
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited

    const store = await start()
    expect(store.url).toBe(line.toString().trim())
    expect(await pid()).toBe(server)
    expect(await query(store.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await store.stop()
    expect(await isGone(server)).toBe(true)
    await rm(socketDirectoryOf(store.url), { recursive: true })
  })
})
