import type { Database, Transaction } from '../../db/database.ts'
import { createKeyedMutex } from '../../keyed-mutex.ts'
import { createSemaphore } from '../../semaphore.ts'

const inTurn = createKeyedMutex<string>()
// Of the store's ten connections.
const atOnce = createSemaphore(5)

/**
 * A transaction that changes domains or zones of an account: one of an account at a time in this process, before it takes a connection to
 * the store. They wait for the account's row anyway; many at once would each hold a connection for that and leave none for others.
 */
export const accountTransaction = <T>(
  db: Database,
  userId: string,
  work: (trx: Transaction) => Promise<T>
): Promise<T> => inTurn(userId, () => atOnce(() => db.transaction(work)))
