import type { Transaction } from '../../db/database.ts'
import type { QueueName } from '../../jobs.ts'

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
  /** Lets jobs start again that were in hand when their process died. For when no other process works on any. */
  retryInterrupted(): Promise<void>
  stop(): Promise<void>
}
