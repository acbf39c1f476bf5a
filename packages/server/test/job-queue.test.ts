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
/** No test lasts so long that another poll would come. */
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
/** Works a queue off and notes what it got. */
const collect = async (jobs: JobQueue, queue: QueueName, concurrency = 1) => {
  const done: number[] = []
  await jobs.work(queue, { ...single, concurrency }, async (data) => {
    done.push(numberOf(data))
  })
  return done
}

test('a rollback drops the job with the rows, a commit keeps both, and it runs', async () => {
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

test('how many run at once is asked for each time one could start', async () => {
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

test('of waiting jobs with one key one is kept; with none or another each; then the key is free again', async () => {
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

test('a rolled back job does not stand for one that was to be kept', async () => {
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

test('a job that stands for two does not start before the second’s rows can be seen', async () => {
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
    // Made later, so that the one worker has passed over the first when it comes to this.
    await add(jobs, queue, 3, { key: 'other' })
    await expect.poll(() => seen.map(({ n }) => n)).toEqual([3])
  })
  await expect.poll(() => seen.map(({ n }) => n)).toEqual([3, 1])
  expect(seen[1]!.rows).toContain('second')
})

test('a job whose key is running already gets another run', async () => {
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

test('a job for later waits for its time, and not in the way of others', async () => {
  const jobs = await start()
  const done = await collect(jobs, 'projects.purge')
  await add(jobs, 'projects.purge', 1, { startAfterSeconds: 1 })
  await add(jobs, 'projects.purge', 2)
  await expect.poll(() => done).toEqual([2, 1])
})

test('a job for later that was there before anybody worked its queue off has its time too', async () => {
  const jobs = await start()
  const others = await collect(jobs, 'images.clean')
  await add(jobs, 'projects.purge', 1, { startAfterSeconds: 3 })
  // Some polls of the other queue, which leave nothing to look for.
  await add(jobs, 'images.clean', 2, { startAfterSeconds: 1 })
  await expect.poll(() => others).toEqual([2])
  const done = await collect(jobs, 'projects.purge')
  await expect.poll(() => done).toEqual([1])
})

test('a job for later does not wait for what was tomorrow before the clock was set back; clocks that differ a little change nothing', async () => {
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
  // Neither does one that failed at such a time.
  await db.execute(sql`
    update pgboss.job set started_on = now() + interval '1 day' where name = 'projects.purge' and data ->> 'n' = '1'`)
  await expect.poll(() => done).toEqual([2, 1])
})

test('a job that fails is tried again as often as its queue says, and others go first', async () => {
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

test('a job that is not done within its time is a failure, and its queue goes on', async () => {
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

test('a queue runs as many at once as it may, the rest in order, and a flood of it keeps no other waiting', async () => {
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

test('a queue of one is worked off in the order of its jobs', async () => {
  const jobs = await start()
  for (let n = 0; n < 30; n++) await add(jobs, 'projects.purge', n)
  const done = await collect(jobs, 'projects.purge')
  await expect.poll(() => done).toEqual(Array.from({ length: 30 }, (_, n) => n))
})

test('accounts take turns, and none waits for ever', async () => {
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
  // Who comes now is not before those that have waited.
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

test('a job that was made by SQL runs', async () => {
  const jobs = await start()
  const done = await collect(jobs, 'projects.purge')
  await db.execute(sql`insert into pgboss.job (name, data) values ('projects.purge', '{"n": 5}')`)
  await expect.poll(() => done).toEqual([5])
})

describe('of a process that is killed', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  /** Another process, and the lines it says. */
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

  test.each([0, 3])('the jobs start again in the next one at once (retry limit %i)', async (retryLimit) => {
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

  test('before that, they stay its own, though the store has ended the connection with its lock', async () => {
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

  test('the jobs start again in one that lives, and those of one that lives do not', async () => {
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
    // Some more rounds of looking for those that are gone.
    await add(jobs, 'projects.purge', 5, { startAfterSeconds: 1 })
    await expect.poll(() => done).toContain(5)
    expect(done).toHaveLength(3)
    await kill(second.child)
    await expect.poll(() => done.toSorted()).toEqual([1, 2, 3, 4, 5])
  })
})

test('the store goes away and comes back: jobs in hand end once, and later ones run', async () => {
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
  release() // It ends while there is no store to say so to.
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

test('a stop ends within bounds, starts nothing more, and what hangs is another’s', async () => {
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

test('a queue of before, under another policy, follows', async () => {
  await start()
  await db.execute(sql`update pgboss.queue set policy = 'standard'`)
  await start()
  const { rows } = await db.execute<{ policy: string }>(
    sql`select distinct policy from pgboss.queue where name in ${queues}`
  )
  expect(rows).toEqual([{ policy: 'short' }])
})

test('jobs whose fetch got no answer come back soon, and those in hand do not', async () => {
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

test('a process that cannot be seen from here has its jobs as long as it has its lock', async () => {
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

test('jobs that version 0.1 was running when it was killed start again', async () => {
  const before = await start()
  await add(before, 'projects.purge', 1)
  await db.execute(sql`update pgboss.job set state = 'active', started_on = now() where state = 'created'`)
  const done = await collect(await start(), 'projects.purge')
  await expect.poll(() => done).toEqual([1])
})
