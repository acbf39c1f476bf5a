import { databaseTypes } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { listDatabaseUsernames } from './databases.repository.ts'

type Deps = Pick<Dependencies, 'databaseServers' | 'db' | 'logger'>

/** Gives accounts of an earlier version, or of a restored engine, the limits of new ones. An engine that is away is asked in the next full round. */
export async function reconcileAccountLimits({ databaseServers, db, logger }: Deps): Promise<void> {
  await Promise.all(
    databaseTypes.map(async (type) => {
      try {
        await databaseServers[type].limitAccounts(await listDatabaseUsernames(db, type))
      } catch (error) {
        logger.warn({ type, error: messageOf(error) }, 'limits of database accounts not compared')
      }
    })
  )
}
