import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Database, openDatabase } from '../src/db/database.ts'
import { lockConnection } from '../src/db/lock.ts'
import { settings } from '../src/db/schema/settings.ts'
import type { JobQueue } from '../src/infra/job-queue/job-queue.ts'
import { createJobQueue } from '../src/infra/job-queue/pg-boss-queue.ts'
import type { QueueName } from '../src/worker/jobs.ts'
import { execute, withDatabase } from './support/test-database.ts'
import { openStoreProxy } from './support/store-proxy.ts'
import { withResolvers } from './support/with-resolvers.ts'

const warnings: string[] = []
const logger = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) })
const single = { concurrency: 1, timeoutSeconds: 60, retryLimit: 0 }

const adminUrl = inject('adminDatabaseUrl')
let name: string
let url: string
let db: Database
const open: JobQueue[] = []
beforeAll(async () => {
  name = `panel_jobs_${randomBytes(6).toString('hex')}`
  await execute(adminUrl, `create database ${name} template ${inject('templateDatabase')}`)
  url = withDatabase(adminUrl, name)
  db = openDatabase(url, () => {})
})
afterEach(async () => {
  for (const jobs of open.splice(0)) await jobs.stop()
})
afterAll(async () => {
  await db.$client.end()
  await execute(adminUrl, `drop database ${name} with (force)`)
})

const queues: QueueName[] = ['deployments.build', 'projects.purge', 'images.clean', 'containers.retire']
/** Longer than any test, so that no second poll happens. */
const never = 600_000
const start = async (pollIntervalMs = 200) => {
  const jobs = await createJobQueue({ connectionString: url, db, queues, logger, pollIntervalMs })
  open.push(jobs)
  return jobs
}
const add = (
  jobs: JobQueue,
  queue: QueueName,
  n: number,
  options: { key?: string; startAfterSeconds?: number; account?: string } = {}
) => db.transaction((trx) => jobs.enqueue(trx, queue, { n }, options))
const numberOf = (data: unknown) => (data as { n: number }).n
/** Drains a queue and collects its jobs. */
const collect = async (jobs: JobQueue, queue: QueueName, concurrency = 1) => {
  const done: number[] = []
  await jobs.work(queue, { ...single, concurrency }, async (data) => {
    done.push(numberOf(data))
  })
  return done
}

test('a rollback drops the job with the rows, a commit runs it', async () => {
  const jobs = await start()
  const done = await collect(jobs, 'projects.purge')
  const attempt = db.transaction(async (trx) => {
    await trx.insert(settings).values({ key: 'rolled', value: 'back' })
    await jobs.enqueue(trx, 'projects.purge', { projectId: 'p', n: 1 })
    throw new Error('changed my mind')
  })
  await expect(attempt).rejects.toThrow('changed my mind')
  await db.transaction(async (trx) => {
    await jobs.enqueue(trx, 'projects.purge', { projectId: 'p', n: 2 })
    await add(jobs, 'projects.purge', 3)
    await expect.poll(() => done).toEqual([3])
  })
  await expect.poll(() => done).toEqual([3, 2])
})

test('concurrency is read on each start', async () => {
  const jobs = await start()
  let limit = 1
  const running = new Map<number, () => void>()
  await jobs.work('images.clean', { ...single, concurrency: () => limit }, async (data) => {
    await new Promise<void>((resolve) => running.set(numberOf(data), resolve))
    running.delete(numberOf(data))
  })
  const inHand = () => [...running.keys()].sort()
  for (let n = 1; n <= 6; n++) await add(jobs, 'images.clean', n)
  await expect.poll(inHand).toEqual([1])
  limit = 3
  await expect.poll(inHand).toEqual([1, 2, 3])
  limit = 1
  running.get(1)!()
  running.get(2)!()
  await expect.poll(inHand).toEqual([3])
  running.get(3)!()
  await expect.poll(inHand).toEqual([4])
  limit = 5
  running.get(4)!()
  await expect.poll(inHand).toEqual([5, 6])
  for (const end of running.values()) end()
})

test('of waiting jobs with the same key one is kept', async () => {
  const jobs = await start()
  const queue = 'containers.retire'
  await add(jobs, queue, 1, { key: 'a' })
  await add(jobs, queue, 1, { key: 'a' })
  await add(jobs, queue, 3, { key: 'b' })
  await add(jobs, queue, 4)
  await add(jobs, queue, 5)
  await Promise.all([1, 2, 3, 4].map(() => add(jobs, queue, 6, { key: 'c' })))
  await add(jobs, 'deployments.build', 1, { key: 'a' })
  const done = await collect(jobs, queue)
  await expect.poll(() => done.toSorted((a, b) => a - b)).toEqual([1, 3, 4, 5, 6])
  const others = await collect(jobs, 'deployments.build')
  await expect.poll(() => others).toEqual([1])
  await add(jobs, queue, 10, { key: 'a' })
  await expect.poll(() => done).toContain(10)
})

test('a rolled back job does not replace another', async () => {
  const jobs = await start()
  const inside = withResolvers()
  const end = withResolvers()
  const first = db.transaction(async (trx) => {
    await jobs.enqueue(trx, 'deployments.build', { n: 20 }, { key: 'rolled' })
    inside.resolve()
    await end.promise
    throw new Error('rolled back')
  })
  await inside.promise
  const second = add(jobs, 'deployments.build', 21, { key: 'rolled' })
  end.resolve()
  await expect(first).rejects.toThrow('rolled back')
  await second
  const done = await collect(jobs, 'deployments.build')
  await expect.poll(() => done).toEqual([21])
})

test('a merged job starts after the second one’s commit', async () => {
  const jobs = await start()
  const queue = 'deployments.build'
  const seen: { n: number; rows: string[] }[] = []
  await add(jobs, queue, 1, { key: 'next' })
  await db.transaction(async (trx) => {
    await trx.insert(settings).values({ key: 'second', value: '' })
    await jobs.enqueue(trx, queue, { n: 1 }, { key: 'next' })
    await jobs.work(queue, single, async (data) => {
      seen.push({ n: numberOf(data), rows: (await db.select().from(settings)).map((row) => row.key) })
    })
    // Added later, so the worker has already skipped the first.
    await add(jobs, queue, 3, { key: 'other' })
    await expect.poll(() => seen.map(({ n }) => n)).toEqual([3])
  })
  await expect.poll(() => seen.map(({ n }) => n)).toEqual([3, 1])
  expect(seen[1]!.rows).toContain('second')
})

test('a job whose key is running gets another run', async () => {
  const jobs = await start()
  const { promise: held, resolve: release } = withResolvers()
  const started: number[] = []
  await jobs.work('projects.purge', single, async (data) => {
    started.push(numberOf(data))
    await held
  })
  await add(jobs, 'projects.purge', 1, { key: 'same' })
  await expect.poll(() => started).toEqual([1])
  await add(jobs, 'projects.purge', 2, { key: 'same' })
  await add(jobs, 'projects.purge', 2, { key: 'same' })
  release()
  await expect.poll(() => started).toEqual([1, 2])
  await add(jobs, 'projects.purge', 3)
  await expect.poll(() => started).toEqual([1, 2, 3])
})

test('a delayed job waits without blocking others', async () => {
  const jobs = await start()
  const done = await collect(jobs, 'projects.purge')
  await add(jobs, 'projects.purge', 1, { startAfterSeconds: 1 })
  await add(jobs, 'projects.purge', 2)
  await expect.poll(() => done).toEqual([2, 1])
})

test('a delayed job created before any worker waits too', async () => {
  const jobs = await start()
  const others = await collect(jobs, 'images.clean')
  await add(jobs, 'projects.purge', 1, { startAfterSeconds: 3 })
  await add(jobs, 'images.clean', 2, { startAfterSeconds: 1 })
  await expect.poll(() => others).toEqual([2])
  const done = await collect(jobs, 'projects.purge')
  await expect.poll(() => done).toEqual([1])
})

test('a clock set back does not delay jobs; small differences do not matter', async () => {
  const jobs = await start()
  const ahead = async (n: number, interval: string) => {
    await add(jobs, 'projects.purge', n, { startAfterSeconds: 60 })
    await db.execute(sql`
      update pgboss.job set created_on = created_on + ${interval}::interval, start_after = start_after + ${interval}::interval
      where name = 'projects.purge' and data ->> 'n' = ${String(n)}`)
  }
  await ahead(1, '5 minutes')
  await ahead(2, '1 day')
  const done = await collect(jobs, 'projects.purge')
  await expect.poll(() => done).toEqual([2])
  await db.execute(sql`
    update pgboss.job set started_on = now() + interval '1 day' where name = 'projects.purge' and data ->> 'n' = '1'`)
  await expect.poll(() => done).toEqual([2, 1])
})

test('a failing job is retried as configured, after others', async () => {
  const jobs = await start()
  const tries: number[] = []
  await jobs.work('projects.purge', { ...single, retryLimit: 1 }, async (data) => {
    tries.push(numberOf(data))
    if (numberOf(data) === 1) throw new Error('fails always')
    if (numberOf(data) === 2 && tries.filter((n) => n === 2).length === 1) throw new Error('fails once')
  })
  await add(jobs, 'projects.purge', 1)
  await add(jobs, 'projects.purge', 2)
  await add(jobs, 'projects.purge', 3)
  await expect.poll(() => tries.slice(0, 3).toSorted()).toEqual([1, 2, 3])
  await expect.poll(() => tries.slice(3).toSorted()).toEqual([1, 2])
  await add(jobs, 'projects.purge', 4, { startAfterSeconds: 8 })
  await expect.poll(() => tries).toContain(4)
  expect(tries).toHaveLength(6)
})

test('a job over its timeout fails, and the queue continues', async () => {
  const jobs = await start()
  const tries: number[] = []
  await jobs.work('projects.purge', { concurrency: 1, timeoutSeconds: 1, retryLimit: 1 }, async (data) => {
    tries.push(numberOf(data))
    if (tries.length === 1) await new Promise(() => {})
  })
  await add(jobs, 'projects.purge', 1)
  await add(jobs, 'projects.purge', 2)
  await expect.poll(() => tries).toEqual([1, 2, 1])
})

test('a queue respects its concurrency, and a flood blocks no other', async () => {
  const jobs = await start()
  const { promise: held, resolve: release } = withResolvers()
  const started: number[] = []
  let inHand = 0
  let most = 0
  await db.transaction(async (trx) => {
    for (let n = 0; n < 200; n++) await jobs.enqueue(trx, 'projects.purge', { projectId: 'p', n })
  })
  await jobs.work('projects.purge', { ...single, concurrency: 3 }, async (data) => {
    started.push(numberOf(data))
    most = Math.max(most, ++inHand)
    await held
    inHand--
  })
  await expect.poll(() => started).toHaveLength(3)
  const others = await collect(jobs, 'images.clean')
  for (let n = 0; n < 5; n++) {
    await add(jobs, 'images.clean', n)
    await expect.poll(() => others).toHaveLength(n + 1)
  }
  expect(started).toHaveLength(3)
  release()
  await expect.poll(() => started).toHaveLength(200)
  expect(most).toBe(3)
})

test('a serial queue keeps its order', async () => {
  const jobs = await start()
  for (let n = 0; n < 30; n++) await add(jobs, 'projects.purge', n)
  const done = await collect(jobs, 'projects.purge')
  await expect.poll(() => done).toEqual(Array.from({ length: 30 }, (_, n) => n))
})

test('accounts take turns', async () => {
  const jobs = await start()
  const addFor = (account: string, n: number) => add(jobs, 'projects.purge', n, { account })
  for (let n = 0; n < 4; n++) await addFor('ann', n)
  await addFor('bob', 10)
  await addFor('bob', 11)
  const gates = Array.from({ length: 7 }, () => withResolvers())
  const done: number[] = []
  await jobs.work('projects.purge', single, async (data) => {
    done.push(numberOf(data))
    await gates[done.length - 1]!.promise
  })
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => done).toHaveLength(n + 1)
    gates[n]!.resolve()
  }
  await expect.poll(() => done).toEqual([0, 10, 1, 11])
  await addFor('carol', 20)
  for (const gate of gates.slice(3)) gate.resolve()
  await expect.poll(() => done).toEqual([0, 10, 1, 11, 2, 20, 3])
})

test('two processes share a queue: each job runs once', async () => {
  const done = await Promise.all([start(), start()].map(async (jobs) => collect(await jobs, 'projects.purge', 2)))
  await Promise.all(Array.from({ length: 100 }, (_, n) => add(open[n % 2]!, 'projects.purge', n)))
  await expect.poll(() => done.flat().length).toBe(100)
  expect(new Set(done.flat()).size).toBe(100)
})

test('a job inserted with SQL runs', async () => {
  const jobs = await start()
  const done = await collect(jobs, 'projects.purge')
  await db.execute(sql`insert into pgboss.job (name, data) values ('projects.purge', '{"n": 5}')`)
  await expect.poll(() => done).toEqual([5])
})

describe('of a killed process', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  const spawnWorker = async (retryLimit: number, pollIntervalMs = 200) => {
    const script = fileURLToPath(new URL('support/job-process.ts', import.meta.url))
    const options = [url, String(retryLimit), String(pollIntervalMs)]
    const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', script, ...options], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    children.push(child)
    const lines: string[] = []
    createInterface(child.stdout).on('line', (line) => lines.push(line))
    await expect.poll(() => lines).toContain('ready')
    return { child, lines }
  }
  const kill = async (child: ChildProcess) => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  test.each([0, 3])('jobs restart immediately in the next one (retry limit %i)', async (retryLimit) => {
    const jobs = await start()
    const { child, lines } = await spawnWorker(retryLimit)
    await add(jobs, 'projects.purge', 1)
    await add(jobs, 'projects.purge', 2)
    await expect.poll(() => lines.toSorted()).toEqual(['ready', '{"n":1}', '{"n":2}'].toSorted())
    await kill(child)
    const next = await start(never)
    const done = await collect(next, 'projects.purge', 2)
    await expect.poll(() => done.toSorted()).toEqual([1, 2])
  })

  test('jobs stay its own until then, even if its lock connection was lost', async () => {
    const jobs = await start()
    const { child, lines } = await spawnWorker(0, never)
    await add(jobs, 'projects.purge', 1)
    await expect.poll(() => lines).toContain('{"n":1}')
    await execute(
      adminUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name = 'panel-listen'`
    )
    const done = await collect(await start(), 'projects.purge', 2)
    await add(jobs, 'projects.purge', 2, { startAfterSeconds: 1 })
    await expect.poll(() => done).toContain(2)
    expect(done).toEqual([2])
    await kill(child)
    await expect.poll(() => done).toEqual([2, 1])
  })

  test('jobs restart in another live process, whose own do not', async () => {
    const jobs = await start()
    const first = await spawnWorker(0)
    const second = await spawnWorker(0)
    for (const n of [1, 2, 3, 4]) await add(jobs, 'projects.purge', n)
    const started = ({ lines }: { lines: string[] }) =>
      lines.filter((line) => line !== 'ready').map((line) => numberOf(JSON.parse(line)))
    await expect.poll(() => [...started(first), ...started(second)].toSorted()).toEqual([1, 2, 3, 4])
    const done = await collect(jobs, 'projects.purge', 4)
    await kill(first.child)
    await expect.poll(() => done.toSorted()).toEqual(started(first).toSorted())
    await add(jobs, 'projects.purge', 5, { startAfterSeconds: 1 })
    await expect.poll(() => done).toContain(5)
    expect(done).toHaveLength(3)
    await kill(second.child)
    await expect.poll(() => done.toSorted()).toEqual([1, 2, 3, 4, 5])
  })
})

test('after a database outage running jobs end once and later ones run', async () => {
  const jobs = await start()
  const { promise: held, resolve: release } = withResolvers()
  const started: number[] = []
  await jobs.work('projects.purge', { ...single, concurrency: 2 }, async (data) => {
    started.push(numberOf(data))
    if (numberOf(data) === 1) await held
  })
  await add(jobs, 'projects.purge', 1)
  await expect.poll(() => started).toEqual([1])
  await execute(adminUrl, `alter database ${name} allow_connections false`)
  await execute(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await expect(add(jobs, 'projects.purge', 2)).rejects.toThrow()
  release() // The database is down when it ends.
  await expect(add(jobs, 'projects.purge', 2)).rejects.toThrow()
  const before = warnings.length
  await expect.poll(() => warnings.length).toBeGreaterThan(before + 5)
  await execute(adminUrl, `alter database ${name} allow_connections true`)
  await add(jobs, 'projects.purge', 3)
  await expect.poll(() => started).toContain(3)
  await add(jobs, 'projects.purge', 4, { startAfterSeconds: 2 })
  await expect.poll(() => started).toContain(4)
  expect(started).toEqual([1, 3, 4])
})

test('a stop is bounded, starts nothing and leaves hanging jobs to others', async () => {
  const jobs = await start()
  const started: number[] = []
  await jobs.work('projects.purge', single, async (data) => {
    started.push(numberOf(data))
    await new Promise(() => {})
  })
  await add(jobs, 'projects.purge', 1)
  await add(jobs, 'projects.purge', 2)
  await expect.poll(() => started).toEqual([1])
  await jobs.stop()
  open.splice(open.indexOf(jobs), 1)
  const next = await start()
  const done = await collect(next, 'projects.purge', 2)
  await expect.poll(() => done.toSorted()).toEqual([1, 2])
  expect(started).toEqual([1])
})

test('a queue with an old policy is migrated', async () => {
  await start()
  await db.execute(sql`update pgboss.queue set policy = 'standard'`)
  await start()
  const { rows } = await db.execute<{ policy: string }>(
    sql`select distinct policy from pgboss.queue where name in ${queues}`
  )
  expect(rows).toEqual([{ policy: 'short' }])
})

test('jobs lost in a fetch return soon, running ones do not', async () => {
  const proxy = await openStoreProxy(url)
  const { promise: held, resolve: release } = withResolvers()
  const jobs = await createJobQueue({ connectionString: proxy.url, db, queues, logger, pollIntervalMs: 200 })
  open.push(jobs)
  try {
    const started: number[] = []
    await jobs.work('projects.purge', { ...single, concurrency: 2 }, async (data) => {
      started.push(numberOf(data))
      if (numberOf(data) === 1) await held
    })
    await add(jobs, 'projects.purge', 1)
    await expect.poll(() => started).toEqual([1])
    const isCut = proxy.cutAtAnswer('{"n": 2}')
    await add(jobs, 'projects.purge', 2)
    await isCut
    await expect.poll(() => started).toEqual([1, 2])
    release()
    await add(jobs, 'projects.purge', 3, { startAfterSeconds: 1 })
    await expect.poll(() => started).toEqual([1, 2, 3])
    await jobs.stop()
  } finally {
    await proxy.close()
  }
})

test('a remote process keeps its jobs while it holds its lock', async () => {
  const jobs = await start()
  await add(jobs, 'projects.purge', 1)
  await db.execute(
    sql`update pgboss.job set state = 'active', started_on = now(), output = '{"process": "elsewhere"}' where state = 'created'`
  )
  const elsewhere = new pg.Client({ connectionString: url })
  await elsewhere.connect()
  await lockConnection(elsewhere, 'job-process:elsewhere')
  const done = await collect(jobs, 'projects.purge')
  await add(jobs, 'projects.purge', 2, { startAfterSeconds: 1 })
  await expect.poll(() => done).toEqual([2])
  await elsewhere.end()
  await expect.poll(() => done).toEqual([2, 1])
})

test('jobs interrupted in version 0.1 restart', async () => {
  const before = await start()
  await add(before, 'projects.purge', 1)
  await db.execute(sql`update pgboss.job set state = 'active', started_on = now() where state = 'created'`)
  const done = await collect(await start(), 'projects.purge')
  await expect.poll(() => done).toEqual([1])
})
