import type { Logger } from 'pino'
import type { Database, Queryable, Transaction } from '../../db/database.ts'
import type { QueueName, Queues } from '../../worker/jobs.ts'

/**
 * Work that comes round by itself: an entry per queue, by a cron line (five fields, by the clock of the server's
 * time zone; the worker fills `timezone` in, and without one it is UTC) or an interval. Its job is enqueued with
 * the key `schedule`, so that a run that still waits is not joined by another; a handler that runs longer than its interval is
 * followed by one more run.
 */
export type Schedule = {
  queue: QueueName
  data?: object
  /** Asked at each slot, which passes without a job where there is nothing for one to do: each job is several commits. */
  isNeeded?: (db: Queryable) => Promise<boolean>
} & ({ cron: string; timezone?: string; everySeconds?: never } | { everySeconds: number; cron?: never })

/** May run more than once for one job (at least once), so it is idempotent. */
export type JobHandler = (data: unknown) => Promise<void>

/**
 * Durable jobs. A job is enqueued in the transaction of the rows that it is about, and is gone with its rollback. One that its process
 * did not live to end starts again in another process, or in the next one; an interruption is no failed try.
 */
export interface JobQueue {
  /**
   * `key`: of two waiting jobs of one queue with the same key one is kept, and it starts after the commits of both. `account`: whose work
   * it is, where one account may make many: the jobs of one wait for no more than one of each other.
   */
  enqueue<Queue extends QueueName>(
    trx: Transaction,
    queue: Queue,
    data: Queues[Queue],
    options?: { key?: string; startAfterSeconds?: number; account?: string }
  ): Promise<void>
  /**
   * Runs the jobs of a queue in the order in which they were made, account by account, `concurrency` of them at once, as it is whenever one
   * could start. One that fails or is not done within
   * its time is tried again after a growing pause. A handler that is out of time is not ended: it watches a limit of its own.
   */
  work(
    queue: QueueName,
    options: { concurrency: number | (() => number); timeoutSeconds: number; retryLimit: number },
    handler: JobHandler
  ): Promise<void>
  /**
   * Holds the schedules until `stop`. Each slot of the clock is enqueued once, however many processes hold it (slots are multiples
   * of the interval since 1970). Of the slots that were missed while no process ran, the newest is caught up at once, and so is the
   * first one of a new schedule, or of one that has another time. Returns what ends them before.
   */
  schedule(schedules: readonly Schedule[]): () => Promise<void>
  /** Ends within bounds: what still runs then is interrupted. */
  stop(): Promise<void>
}

export interface JobQueueOptions {
  connectionString: string
  /** The same store, for the schedules. */
  db: Database
  queues: readonly string[]
  logger: Logger
  /** How often jobs are looked for that no notice told of: those for later, and those of processes that are gone. */
  pollIntervalMs?: number
  /** Another process has made the tables and the queues, and keeps them: this one may change rows alone. */
  isPrepared?: boolean
}
