import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import {
  type DatabaseRow,
  deleteDatabaseRow,
  findDatabaseById,
  listUnfinishedDatabases,
  touchDatabase
} from './databases.repository.ts'
import { withIdleDatabase, isEngineUnavailable } from './database-lock.service.ts'
import { finishRotation } from './password-rotation.service.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'databaseServers' | 'db' | 'engine' | 'jobs' | 'logger' | 'network' | 'nodeId' | 'now' | 'secretBox'
>

const inARound = 20

/** Finishes or takes back what was cut off between the store and an engine. */
export async function reconcileDatabases(deps: Deps): Promise<'again' | 'done'> {
  const found = await Promise.all(databaseTypes.map((type) => reconcileEngine(deps, type)))
  return found.some((count) => count > 0) ? 'again' : 'done'
}

/**
 * Brings engine and row together: what was never given out is taken back, what is to go goes, a password that was announced is set. Every
 * step may find its work done. For who has the lock of the database (database-lock.service.ts).
 */
export async function reconcileDatabase(deps: Deps, id: string): Promise<void> {
  const row = await findDatabaseById(deps.db, id)
  if (row) await reconcilers[row.status](deps, row)
}

const reconcilers: Record<DatabaseRow['status'], (deps: Deps, row: DatabaseRow) => Promise<void>> = {
  PROVISIONING: (deps, row) => remove(deps, row, { onlyIfEmpty: true }),
  ACTIVE: async (deps, row) => {
    if (row.encryptedNextPassword !== null) await finishRotation(deps, row)
  },
  DELETING: (deps, row) => remove(deps, row, { onlyIfEmpty: false })
}

async function remove(deps: Deps, row: DatabaseRow, options: { onlyIfEmpty: boolean }): Promise<void> {
  await deps.databaseServers[row.type].drop({ database: row.name, username: row.username }, options)
  await deleteDatabaseRow(deps.db, row.id)
}

/** Resolves with how many were unfinished. */
async function reconcileEngine(deps: Deps, type: DatabaseType): Promise<number> {
  const unfinished = await listUnfinishedDatabases(deps.db, type, inARound)
  for (const { id, name } of unfinished) {
    try {
      await withIdleDatabase(deps, id, () => reconcileDatabase(deps, id))
    } catch (error) {
      deps.logger.warn({ database: name, type, error: messageOf(error) }, 'database not reconciled')
      // One that fails by itself lets the others go first: in the next round where it may be the engine, which is not waited for again.
      await touchDatabase(deps.db, id, deps.now())
      if (isEngineUnavailable(error)) break
    }
  }
  return unfinished.length
}
