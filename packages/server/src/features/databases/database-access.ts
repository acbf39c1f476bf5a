import type { Queryable, Transaction } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { lockUser } from '../users/account-access.ts'
import { type DatabaseRow, findDatabase } from './databases.repository.ts'

export {
  type DatabaseRow,
  findDatabase,
  findDatabaseById,
  findDatabaseByName,
  isAnyDatabase,
  listDatabasesOfProject,
  listUnlinkedDatabases
} from './databases.repository.ts'

/** Returns the caller's database. NOT_FOUND for other accounts' databases and while one is being created or deleted. */
export async function getOwnDatabase(db: Queryable, id: string, userId: string): Promise<DatabaseRow> {
  const row = await findDatabase(db, id, userId)
  if (!row) throw new AppError('NOT_FOUND', 'Database not found')
  return row
}

/** Lock order: account, then project. Both queries are pipelined; the row is read under the lock. */
export async function lockOwnDatabase(trx: Transaction, id: string, userId: string): Promise<DatabaseRow> {
  const [, row] = await Promise.all([lockUser(trx, userId), getOwnDatabase(trx, id, userId)])
  return row
}
