import { databaseTypes } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { listDatabaseUsernames } from './databases.repository.ts'

type Deps = Pick<Dependencies, 'databaseServers' | 'db' | 'logger'>

/** For accounts of older versions or restored engines. Retries an unavailable engine in the next full round. */
export async function reconcileAccountLimits({ databaseServers, db, logger }: Deps): Promise<void> {
  await Promise.all(
    databaseTypes.map(async (type) => {
      try {
        await databaseServers[type].limitAccounts(await listDatabaseUsernames(db, type))
      } catch (error) {
        logger.warn({ type, error: messageOf(error) }, 'Could not apply limits to database accounts')
      }
    })
  )
}
