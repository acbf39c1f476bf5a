import type { DatabaseType } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import type { DatabaseAddress } from '../../infra/database-server/database-server.ts'
import { updateDatabaseVariables } from '../env-vars/database-variables.service.ts'
import type { ProjectRow } from '../feature.ts'
import { settleGateway } from '../networks/networks.service.ts'
import { lockProject } from '../projects/project-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { connectionVariables } from './connection.policy.ts'
import { listInjectedDatabases } from './databases.repository.ts'
import { openAccount } from './linked-project.service.ts'

/** The account's network may use another gateway than planned. A pending rotation rewrites the variables itself. */
export async function refreshConnections(deps: Dependencies, project: ProjectRow): Promise<void> {
  const types = new Set((await listInjectedDatabases(deps.db, project.id)).map(({ type }) => type))
  if (types.size === 0) return
  const gateway = await settleGateway(deps, project.userId)
  const internal = new Map<DatabaseType, DatabaseAddress>()
  for (const type of types)
    internal.set(type, (await deps.databaseServers[type].addresses(async () => gateway)).internal)
  await accountTransaction(deps.db, project.userId, async (trx) => {
    if (!(await lockProject(trx, project.id))) return
    for (const row of await listInjectedDatabases(trx, project.id)) {
      const address = internal.get(row.type)
      if (address)
        await updateDatabaseVariables(deps, trx, row.id, connectionVariables(row.type, openAccount(deps, row), address))
    }
  })
}
