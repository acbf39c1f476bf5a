import type { Database, Transaction } from '../../db/database.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'

// Both per process, as they spare its connections to the store: between processes it is the locked rows that order.
const oneOfAccount = createKeyedMutex<string>()
// Of the ten connections to the store that requests have at least (db/connection-budget.ts).
const limited = createSemaphore(5)

/**
 * A transaction that changes domains, zones or databases of an account: one of an account at a time, before it takes a connection to the
 * store. Most wait for rows of the account, or of its zone, in any case; many at once would each hold a connection meanwhile and leave
 * none for others. What must not happen twice is locked in the transaction all the same: this is no lock between processes.
 */
export const accountTransaction = <T>(
  db: Database,
  userId: string,
  work: (trx: Transaction) => Promise<T>
): Promise<T> => oneOfAccount(userId, () => limited(() => db.transaction(work)))
