import type { Logger } from 'pino'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import type { QueueName, Queues } from '../../worker/jobs.ts'

/**
 * Recurring work: one entry per queue, by cron line (five fields; the worker sets `timezone` to the server's, default
 * UTC) or interval. Jobs are enqueued with key `schedule`, so a waiting run is not duplicated; a handler that runs
 * longer than its interval is followed by one more run.
 */
export type Schedule = {
  queue: QueueName
  data?: object
  /** Checked at each slot; skips the slot if there is nothing to do, because each job costs several commits. */
  isNeeded?: (db: Queryable) => Promise<boolean>
} & ({ cron: string; timezone?: string; everySeconds?: never } | { everySeconds: number; cron?: never })

/** Must be idempotent: jobs run at least once. */
export type JobHandler = (data: unknown) => Promise<void>

/**
 * Durable jobs. A job is enqueued in the transaction of the rows it is about and disappears on rollback. If its process
 * dies, it restarts in another or the next process; an interruption is not a failed attempt.
 */
export interface JobQueue {
  /**
   * `key`: of two waiting jobs with the same key in a queue one is kept, and it starts after both commits. `account`:
   * schedules accounts round-robin, so that a job waits for at most one job of each other account.
   */
  enqueue<Queue extends QueueName>(
    trx: Transaction,
    queue: Queue,
    data: Queues[Queue],
    options?: { key?: string; startAfterSeconds?: number; account?: string }
  ): Promise<void>
  /**
   * Runs the jobs of a queue in order of creation, round-robin by account, `concurrency` at a time (re-read whenever a
   * job could start). Failed and timed-out jobs are retried with back-off. A timed-out handler is not stopped; it must
   * have its own limit.
   */
  work(
    queue: QueueName,
    options: { concurrency: number | (() => number); timeoutSeconds: number; retryLimit: number },
    handler: JobHandler
  ): Promise<void>
  /**
   * Runs the schedules until `stop`. Each slot is enqueued once across all processes (interval slots are multiples of
   * the interval since 1970). After downtime only the latest missed slot runs at once; so does the first slot of a new
   * or changed schedule. Returns a function that stops them.
   */
  schedule(schedules: readonly Schedule[]): () => Promise<void>
  stop(): Promise<void>
}

export interface JobQueueOptions {
  connectionString: string
  db: Database
  queues: readonly string[]
  logger: Logger
  /** Interval for finding jobs without notification: delayed jobs and jobs of dead processes. */
  pollIntervalMs?: number
  /** Another process created and maintains tables and queues; this one only changes rows. */
  isPrepared?: boolean
}
