import type { Database, Transaction } from '../../db/database.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'

// Per process: it saves connections. Between processes the row locks keep the order.
const oneOfAccount = createKeyedMutex<string>()
const limited = createSemaphore(5)

/**
 * Transaction that changes domains, zones or databases: one at a time per account, queued before it takes a connection.
 * They would wait for the same row locks anyway, each holding a connection. Not a lock between processes: rows must
 * still be locked.
 */
export const accountTransaction = <T>(
  db: Database,
  userId: string,
  work: (trx: Transaction) => Promise<T>
): Promise<T> => oneOfAccount(userId, () => limited(() => db.transaction(work)))
