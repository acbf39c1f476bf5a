import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import PgBoss from 'pg-boss'
import type { Logger } from 'pino'
import type { Database, Transaction } from '../../db/database.ts'
import { lockConnection } from '../../db/lock.ts'
import { messageOf } from '../../errors.ts'
import type { JobQueue } from './job-queue.ts'
import { runSchedules } from './schedule-runner.ts'

const channel = 'panel_jobs'

const reconnectAfterMs = 1_000
const pollEveryMs = 5_000
const settleAgainAfterMs = 1_000
// The worker has ended its jobs by then, or given them up.
const stopLimitMs = 5_000

// Of the waiting jobs of a queue with one key pg-boss keeps one, by a unique index. The other policies look at no key unless
// a time slot is given with it.
const policy = 'short'

/**
 * pg-boss, with our own LISTEN so that a job starts within milliseconds of its commit; polling is only the safety net.
 */
export async function createJobQueue({
  connectionString,
  db,
  queues,
  logger
}: {
  connectionString: string
  /** The same store, for the schedules. */
  db: Database
  queues: readonly string[]
  logger: Logger
}): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString,
    max: 4,
    application_name: 'panel-jobs',
    schedule: false, // Ours are held by schedule-runner.ts.
    archiveCompletedAfterSeconds: 3600,
    deleteAfterDays: 2
  })
  boss.on('error', (error) => logger.warn({ error: messageOf(error) }, 'job queue'))
  await alone(connectionString, async () => {
    await boss.start()
    for (const queue of queues) {
      await boss.createQueue(queue, { name: queue, policy })
      await boss.updateQueue(queue, { name: queue, policy }) // One that exists is not touched by createQueue.
    }
  })

  const stopping = new AbortController()
  const loops: Promise<void>[] = []
  const wakeUps = new EventEmitter().setMaxListeners(0)
  const listener = createListener(connectionString, logger, (queue) => wakeUps.emit(queue))
  const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {}) // Woken.

  // Not boss.work(): that leaves the promises of its own queries alone, and a store that goes away then ends the process.
  async function workOff(queue: string, handler: (data: unknown) => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      const wake = new AbortController()
      const onWakeUp = () => wake.abort()
      wakeUps.once(queue, onWakeUp)
      if (!(await runNext(queue, handler))) await pause(pollEveryMs, wake.signal)
      wakeUps.off(queue, onWakeUp)
    }
  }

  /** Whether there was a job. */
  async function runNext(queue: string, handler: (data: unknown) => Promise<void>): Promise<boolean> {
    const [job] = await boss.fetch(queue, { batchSize: 1 }).catch((error: unknown) => {
      logger.warn({ error: messageOf(error), queue }, 'job queue')
      return []
    })
    if (!job) return false
    const failure = await handler(job.data).then(
      () => undefined,
      (error: unknown) => ({ message: messageOf(error), error })
    )
    if (failure) logger.error({ err: failure.error, queue, job: job.id }, 'job failed')
    const settle = () =>
      failure ? boss.fail(queue, job.id, { message: failure.message }) : boss.complete(queue, job.id)
    while (!(await succeeds(settle)) && !stopping.signal.aborted) await pause(settleAgainAfterMs, stopping.signal)
    return true
  }

  const stopSchedules: (() => Promise<void>)[] = []
  const jobs: JobQueue = {
    async enqueue(trx, queue, data, options = {}) {
      const key = options.key ?? randomUUID()
      const send = () =>
        boss.send(queue, data, {
          db: executorOf(trx),
          singletonKey: key,
          ...(options.startAfterSeconds === undefined ? {} : { startAfter: options.startAfterSeconds })
        })
      // The job that is there already must not start before our rows can be seen: until our commit no worker gets past the
      // lock on it. One that has started in between is too old to count, and another is made.
      for (let tries = 0; (await send()) === null && !(await holdWaitingJob(trx, queue, key)); tries++) {
        if (tries === 100) throw new Error(`no job could be made in the queue ${queue}`)
      }
      await trx.execute(sql`select pg_notify(${channel}, ${queue})`)
    },

    async work(queue, options, handler) {
      await boss.updateQueue(queue, {
        name: queue,
        policy, // Left out, it would be set back to pg-boss's default.
        retryLimit: options.retryLimit,
        retryBackoff: true,
        retryDelay: 2,
        expireInSeconds: options.timeoutSeconds
      })
      for (let n = 0; n < options.concurrency; n++) loops.push(workOff(queue, handler))
    },

    schedule(schedules) {
      stopSchedules.push(runSchedules({ db, jobs, logger }, schedules))
    },

    async retryInterrupted() {
      // pg-boss itself would only find out when their time is up.
      await boss
        .getDb()
        .executeSql(
          `update pgboss.job set state = 'retry', start_after = now() where state = 'active' and name = any($1)`,
          [queues]
        )
    },

    async stop() {
      stopping.abort()
      await Promise.all(stopSchedules.map((stop) => stop()))
      for (const queue of queues) wakeUps.emit(queue)
      await listener.close()
      await Promise.race([Promise.all(loops), sleep(stopLimitMs, undefined, { ref: false })])
      await boss.stop({ graceful: true, wait: true, timeout: 5_000 })
    }
  }
  return jobs
}

/** The queue's own errors are in the log already. */
const succeeds = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false
  )

/** Of several processes that start at once, one after the other: pg-boss makes a table per queue, and two at once deadlock. */
async function alone(connectionString: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'panel-jobs' })
  await client.connect()
  try {
    await lockConnection(client, 'job-queue:setup')
    await work()
  } finally {
    await client.end()
  }
}

/** Locks the waiting job of the key; false when there is none any more. Workers skip locked jobs. */
async function holdWaitingJob(trx: Transaction, queue: string, key: string): Promise<boolean> {
  const { rows } = await trx.execute(
    sql`select 1 from pgboss.job where name = ${queue} and singleton_key = ${key} and state = 'created' for share`
  )
  return rows.length > 0
}

/** pg-boss inserts through the caller's transaction. */
function executorOf(trx: Transaction): PgBoss.Db {
  return {
    async executeSql(text, values) {
      const client = (trx as unknown as { session: { client: pg.PoolClient } }).session.client
      return client.query(text, values)
    }
  }
}

/** Listens on a connection of its own, and on the next one when that ends: one after the other, however long the store is away. */
function createListener(connectionString: string, logger: Logger, onNotify: (queue: string) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  const listen = async () => {
    const client = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'panel-listen'
    })
    client.on('error', (error) => logger.warn({ error: messageOf(error) }, 'job listener lost its connection'))
    client.on('notification', (message) => onNotify(message.payload ?? ''))
    const ended = once(client, 'end', { signal })
    ended.catch(() => {}) // Awaited below, unless there is no connection at all.
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      await ended
    } finally {
      await client.end()
    }
  }
  const listenAlways = async () => {
    while (!signal.aborted) {
      await listen().catch(() => {}) // Polling goes on meanwhile; the loss was logged.
      await sleep(reconnectAfterMs, undefined, { signal }).catch(() => {}) // Woken to stop.
    }
  }
  const finished = listenAlways()
  return {
    async close() {
      stopping.abort()
      await finished
    }
  }
}
