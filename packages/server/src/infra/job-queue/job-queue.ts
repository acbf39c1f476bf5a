import type { Transaction } from '../../db/database.ts'
import type { QueueName } from '../../jobs.ts'

/**
 * Work that comes round by itself: an entry per queue, by a cron line (five fields, UTC) or an interval. Its job is enqueued with
 * the key `schedule`, so that a run that still waits is not joined by another; a handler that runs longer than its interval is
 * followed by one more run.
 */
export type Schedule = { queue: QueueName; data?: object } & (
  { cron: string; everySeconds?: never } | { everySeconds: number; cron?: never }
)

/** Durable jobs. A job is enqueued in the transaction of the rows that it is about, and is gone with its rollback. */
export interface JobQueue {
  /** `key`: of two waiting jobs of one queue with the same key one is kept, and it starts after the commits of both. */
  enqueue(
    trx: Transaction,
    queue: QueueName,
    data: object,
    options?: { key?: string; startAfterSeconds?: number }
  ): Promise<void>
  /** Handlers may run more than once for one job (at least once), so they are idempotent. */
  work(
    queue: QueueName,
    options: { concurrency: number; timeoutSeconds: number; retryLimit: number },
    handler: (data: unknown) => Promise<void>
  ): Promise<void>
  /**
   * Holds the schedules until `stop`. Each slot of the clock is enqueued once, however many processes hold it (slots are multiples
   * of the interval since 1970). Of the slots that were missed while no process ran, the newest is caught up at once, and so is the
   * first one of a new schedule.
   */
  schedule(schedules: readonly Schedule[]): void
  /** Lets jobs start again that were in hand when their process died. For when no other process works on any. */
  retryInterrupted(): Promise<void>
  stop(): Promise<void>
}
