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

const batchSize = 20

/** Completes or rolls back operations that were interrupted between the panel's database and an engine. */
export async function reconcileDatabases(deps: Deps): Promise<'again' | 'done'> {
  const found = await Promise.all(databaseTypes.map((type) => reconcileEngine(deps, type)))
  return found.some((count) => count > 0) ? 'again' : 'done'
}

/** Completes or rolls back one database. Idempotent. The caller holds the lock (database-lock.service.ts). */
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

async function reconcileEngine(deps: Deps, type: DatabaseType): Promise<number> {
  const unfinished = await listUnfinishedDatabases(deps.db, type, batchSize)
  for (const { id, name } of unfinished) {
    try {
      await withIdleDatabase(deps, id, () => reconcileDatabase(deps, id))
    } catch (error) {
      deps.logger.warn({ database: name, type, error: messageOf(error) }, 'Could not reconcile database')
      // Moves it to the end of the queue. If the engine is down, the rest waits for the next round.
      await touchDatabase(deps.db, id, deps.now())
      if (isEngineUnavailable(error)) break
    }
  }
  return unfinished.length
}
