import type { Queryable, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { lockUser } from '../users/account-access.ts'
import { type DatabaseRow, findDatabase } from './databases.repository.ts'

// What other features may ask of the rows.
export {
  type DatabaseRow,
  findDatabase,
  findDatabaseById,
  findDatabaseByName,
  isAnyDatabase,
  listDatabasesOfProject
} from './databases.repository.ts'

/** The caller's own database. Somebody else's is not there, as one that is being made or removed is not. */
export async function getOwnDatabase(db: Queryable, id: string, userId: string): Promise<DatabaseRow> {
  const row = await findDatabase(db, id, userId)
  if (!row) throw new AppError('NOT_FOUND', 'There is no such database')
  return row
}

/**
 * The same, to change it: everything that changes databases locks the account, which is first in the one order of locks; then the project.
 * Both are asked for at once: the store reads the row when it has the lock.
 */
export async function lockOwnDatabase(trx: Transaction, id: string, userId: string): Promise<DatabaseRow> {
  const [, row] = await Promise.all([lockUser(trx, userId), getOwnDatabase(trx, id, userId)])
  return row
}
