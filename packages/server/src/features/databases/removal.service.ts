import { Origin } from '../audit/origin.ts'
import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { removeDatabaseVariables } from '../env-vars/database-variables.service.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { getOwnDatabase, lockOwnDatabase } from './database-access.ts'
import { reconcileDatabase } from './database-recovery.reconcile.ts'
import { updateDatabase } from './databases.repository.ts'
import { withDatabaseLock } from './database-lock.service.ts'

type Deps = Pick<
  Dependencies,
  | 'config'
  | 'databaseServers'
  | 'db'
  | 'engine'
  | 'features'
  | 'jobs'
  | 'logger'
  | 'network'
  | 'nodeId'
  | 'now'
  | 'secretBox'
>

/** Hidden on commit, then dropped, by the reconciler if that fails. Rejects without a change if the engine is down. */
export const deleteDatabase = workerVerb('databases.delete', [Origin, Id, Id], deleteDatabaseHere)

async function deleteDatabaseHere(deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<void> {
  await withDatabaseLock(deps, await getOwnDatabase(deps.db, id, userId), async () => {
    await accountTransaction(deps.db, userId, async (trx) => {
      const { name, type } = await lockOwnDatabase(trx, id, userId)
      for (const { database } of deps.features) {
        const problem = await database?.deletionProblem?.(trx, id)
        if (problem !== undefined) throw new AppError('DATABASE_CHANGING', problem)
      }
      await removeDatabaseVariables(trx, id)
      await updateDatabase(trx, id, { status: 'DELETING' }, deps.now())
      await recordAudit(deps, trx, origin, {
        action: 'database.deleted',
        actorId: userId,
        targetId: id,
        metadata: { name, type }
      })
    })
    await reconcileDatabase(deps, id).catch((error: unknown) =>
      deps.logger.warn({ database: id, error: messageOf(error) }, 'Could not drop database')
    )
  })
}
