import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import PgBoss from 'pg-boss'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import { connectionBudget } from '../../db/connection-budget.ts'
import type { Transaction } from '../../db/database.ts'
import { lockConnection } from '../../db/lock.ts'
import { tellListeners } from '../../db/store-listener.ts'
import { readCommits } from '../../db/table-writes.ts'
import { messageOf } from '../../text/message-of.ts'
import { newProcessName } from '../process/process-name.ts'
import { createJobListener, jobChannel } from './job-listener.ts'
import { createPump, type Pump } from './job-pump.ts'
import type { JobHandler, JobQueue, JobQueueOptions } from './job-queue.ts'
import { fetchJobs, findTurn, findWaiting, indexOrder, retryInterrupted } from './job-statements.ts'
import { requeueStrays } from './job-strays.ts'
import { createJobTakeover } from './job-takeover.ts'
import { runSchedules } from './schedule-runner.ts'
import { connectionLifetimeSeconds, connectLimitMs } from '../../db/connect-limit.ts'

const resultRetryMs = 1_000
const stopLimitMs = 5_000

// With this policy, pg-boss keeps one waiting job per key (unique index). Other policies ignore keys without a time
// slot.
const policy = 'short'

// Passed to pg-boss's pool. Without a query timeout a lost response would block a queue forever. One connection stays,
// for the minutely schedules; more are for a burst of jobs, because each keeps some 12 MB of catalogue (connection-budget.ts).
const poolLimits = {
  connectionTimeoutMillis: connectLimitMs,
  query_timeout: 35_000,
  min: 1,
  idleTimeoutMillis: 10_000,
  maxLifetimeSeconds: connectionLifetimeSeconds
}

interface Job {
  id: string
  data: unknown
}

/**
 * Job queue on pg-boss's tables, inserts, back-off and clean-up, with our own fetch loop (ADR 3): a job starts within
 * milliseconds of its commit, is marked with its process, and restarts elsewhere if that process dies. Survives
 * database outages.
 */
export async function createJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { connectionString, db, queues, logger, pollIntervalMs = 5_000, isPrepared = false } = options
  const boss = new PgBoss({
    ...poolLimits,
    connectionString,
    max: connectionBudget.jobs,
    application_name: 'panel-jobs',
    schedule: false, // see schedule-runner.ts
    supervise: !isPrepared,
    migrate: !isPrepared,
    archiveCompletedAfterSeconds: 3600,
    deleteAfterDays: 2
  })
  boss.on('error', (error) => logger.warn({ error: messageOf(error) }, 'job queue'))
  const known = new Map<string, PgBoss.Queue>()
  /** Writes only differences: each write waits for the disk, and a start would have two per queue. */
  const configure = async (queue: PgBoss.Queue) => {
    const before = known.get(queue.name)
    const isSet = (name: string, value: unknown) => before?.[name as keyof PgBoss.Queue] === value
    if (Object.entries(queue).every(([name, value]) => isSet(name, value))) return
    await (before ? boss.updateQueue(queue.name, { ...queue }) : boss.createQueue(queue.name, { ...queue }))
    known.set(queue.name, { ...before, ...queue })
  }
  const prepare = async () => {
    await boss.start()
    if (isPrepared) return
    for (const queue of await boss.getQueues()) known.set(queue.name, queue)
    for (const queue of queues) await configure({ name: queue, policy })
    await boss.getDb().executeSql(indexOrder, [])
  }
  await (isPrepared ? prepare() : withSetupLock(connectionString, prepare))

  const processName = await newProcessName()
  const stopping = new AbortController()
  const { signal } = stopping
  const pumps = new Map<string, Pump<Job>>()
  const wake = (queue: string) => void pumps.get(queue)?.pump()
  const fetchQuery = async <Row>(text: string, values: unknown[]) =>
    (await boss.getDb().executeSql(text, values)).rows as Row[]
  // A statement about all queues leaves their whole catalogue in the memory of its connection, so one makes all of these.
  const polls = new pg.Pool({
    ...poolLimits,
    connectionString,
    max: connectionBudget.jobPolls,
    application_name: 'panel-job-polls'
  })
  polls.on('error', (error) => logger.warn({ error: messageOf(error) }, 'job queue'))
  const query = async <Row>(text: string, values: unknown[]) => (await polls.query(text, values)).rows as Row[]
  const warn = (error: unknown) => logger.warn({ error: messageOf(error) }, 'job queue')

  const takeover = createJobTakeover(query, processName)
  // Finds jobs without notification: delayed ones and those of dead processes. Resolves with whether more may become
  // due without a commit.
  async function poll(): Promise<boolean> {
    const worked = [...pumps.keys()]
    const areAnyElsewhere = await takeover.poll(worked)
    const areAnyHere = await requeueStrays(query, processName, pumps)
    const waiting = await query<{ name: string; isDue: boolean }>(findWaiting, [worked])
    for (const { name, isDue } of waiting) if (isDue) wake(name)
    return areAnyElsewhere || areAnyHere || waiting.length > 0
  }
  let isAnyOpen = true
  let lastCommits: string | undefined
  /** Skips the poll if no job waits or runs and nothing was committed since. */
  async function pollAfterCommits(): Promise<void> {
    const commits = await readCommits(db)
    if (commits === lastCommits && !isAnyOpen) return
    lastCommits = commits
    isAnyOpen = true // in case the poll fails
    isAnyOpen = await poll()
  }
  const pollAlways = async () => {
    while (!signal.aborted) {
      await sleep(pollIntervalMs, undefined, { signal }).catch(() => {}) // aborted by stop
      if (!signal.aborted && pumps.size > 0) await pollAfterCommits().catch(warn)
    }
  }

  async function runJob(queue: string, job: Job, timeoutSeconds: number, handler: JobHandler): Promise<void> {
    const failure = await withTimeLimit(handler(job.data), timeoutSeconds * 1000).then(
      () => undefined,
      (error: unknown) => ({ message: messageOf(error), error })
    )
    if (failure) logger.error({ err: failure.error, queue, job: job.id }, 'job failed')
    const reportResult = () =>
      failure ? boss.fail(queue, job.id, { message: failure.message }) : boss.complete(queue, job.id)
    while (!(await succeeds(reportResult)) && !signal.aborted)
      await sleep(resultRetryMs, undefined, { signal }).catch(() => {}) // aborted by stop
  }

  // A process that only enqueues needs none.
  let listener: ReturnType<typeof createJobListener> | undefined
  const listen = () =>
    createJobListener({
      connectionString,
      logger,
      processName,
      reconnectAfterMs: pollIntervalMs / 5, // well before another process polls twice
      onNotify: wake
    })
  const polled = pollAlways()
  const stopSchedules = new Set<() => Promise<void>>()
  const jobs: JobQueue = {
    async enqueue(trx, queue, data, { key = randomUUID(), startAfterSeconds, account } = {}) {
      const executor = executorOf(trx)
      const turn = account === undefined ? 0 : await nextTurn(executor, queue, account)
      const send = () =>
        boss.send(queue, account === undefined ? data : { ...(data as object), account }, {
          db: executor,
          singletonKey: key,
          priority: -turn,
          ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds })
        })
      // The existing job must not start before our rows are visible: the lock keeps workers from it until our commit.
      // If it has started meanwhile, it is too old and a new one is created.
      for (let tries = 0; (await send()) === null && !(await holdWaitingJob(trx, queue, key)); tries++) {
        if (tries === 100) throw new Error(`no job could be created in the queue ${queue}`)
      }
      await tellListeners(trx, jobChannel, queue)
    },

    async work(queue, { concurrency, timeoutSeconds, retryLimit }, handler) {
      await (listener ??= listen())
      await configure({
        name: queue,
        policy, // otherwise reset to pg-boss's default
        retryLimit,
        retryBackoff: true,
        retryDelay: 2,
        expireInSeconds: timeoutSeconds
      })
      const fetch = (count: number) =>
        fetchQuery<Job>(fetchJobs, [queue, count, processName]).catch((error: unknown) => {
          warn(error)
          return []
        })
      const start = (job: Job) => runJob(queue, job, timeoutSeconds, handler)
      const limit = typeof concurrency === 'number' ? () => concurrency : concurrency
      pumps.set(queue, createPump(limit, fetch, start, signal))
      await takeover.start(queue)
      wake(queue)
      lastCommits = undefined // no poll has seen its delayed jobs yet
    },

    schedule(schedules) {
      const stop = runSchedules({ db, jobs, logger }, schedules)
      stopSchedules.add(stop)
      return async () => {
        stopSchedules.delete(stop)
        await stop()
      }
    },

    async stop() {
      stopping.abort()
      await Promise.all([polled, ...[...stopSchedules].map((stop) => stop())])
      const running = [...pumps.values()].flatMap((pump) => [...pump.running.keys()])
      await Promise.race([Promise.all(running), sleep(stopLimitMs, undefined, { ref: false })])
      await query(retryInterrupted, [[...pumps.keys()], [processName], null]).catch(warn)
      await boss.stop({ graceful: true, wait: true, timeout: 5_000 })
      if (!polls.ending) await polls.end()
      await (await listener)?.close()
    }
  }
  return jobs
}

const succeeds = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false
  )

/** Serializes setup across processes: pg-boss creates a table per queue, and two at once deadlock. */
async function withSetupLock(connectionString: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'panel-jobs'
  })
  await client.connect()
  try {
    await lockConnection(client, 'job-queue:setup')
    await work()
  } finally {
    await client.end()
  }
}

async function nextTurn(executor: PgBoss.Db, queue: string, account: string): Promise<number> {
  const { rows } = await executor.executeSql(findTurn, [queue, account])
  return (rows as { turn: number }[])[0]!.turn
}

async function holdWaitingJob(trx: Transaction, queue: string, key: string): Promise<boolean> {
  const { rows } = await trx.execute(
    sql`select 1 from pgboss.job where name = ${queue} and singleton_key = ${key} and state = 'created' for share`
  )
  return rows.length > 0
}

function executorOf(trx: Transaction): PgBoss.Db {
  return {
    async executeSql(text, values) {
      const client = (trx as unknown as { session: { client: pg.PoolClient } }).session.client
      return client.query(text, values)
    }
  }
}
