import { words } from '@panel/contract/details'
import type { UpdateDatabase } from '@panel/contract/databases'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { DatabaseAccount, DatabaseAddress } from '../../infra/database-server/database-server.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { addDatabaseVariables, removeDatabaseVariables } from '../env-vars/database-variables.service.ts'
import { accountGateway } from '../networks/networks.service.ts'
import { lockProject, ownedBy } from '../projects/project-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { connectionVariables } from './connection.policy.ts'
import { getOwnDatabase, lockOwnDatabase } from './database-access.ts'
import { type DatabaseRow, updateDatabase } from './databases.repository.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'databaseServers' | 'db' | 'engine' | 'network' | 'nodeId' | 'now' | 'secretBox'
>

/** Links a database to another project or to none, and adds or removes the injected variables. */
export async function linkDatabase(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: UpdateDatabase
): Promise<DatabaseRow> {
  const { type } = await getOwnDatabase(deps.db, id, userId)
  const { internal } = await deps.databaseServers[type].addresses(() => accountGateway(deps, userId))
  return accountTransaction(deps.db, userId, async (trx) => {
    const before = await lockOwnDatabase(trx, id, userId)
    const { projectId, autoInjectEnv } = linkOf(before, input)
    const isMoved = projectId !== before.projectId
    if (!isMoved && autoInjectEnv === before.autoInjectEnv) return before
    if (projectId !== null) ownedBy(await lockProject(trx, projectId), userId)
    if (before.autoInjectEnv) await removeDatabaseVariables(trx, id)
    if (projectId !== null && autoInjectEnv) await injectVariables(deps, trx, before, projectId, internal)
    await recordAudit(deps, trx, origin, {
      action: 'database.updated',
      actorId: userId,
      targetId: id,
      metadata: { name: before.name, type, projectId, autoInjectEnv }
    })
    return updateDatabase(trx, id, { projectId, autoInjectEnv }, deps.now())
  })
}

/** The caller holds the project lock. */
export async function injectVariables(
  deps: Pick<Deps, 'now' | 'secretBox'>,
  trx: Transaction,
  row: DatabaseRow,
  projectId: string,
  internal: DatabaseAddress
): Promise<void> {
  const variables = connectionVariables(row.type, openAccount(deps, row), internal)
  await addDatabaseVariables(deps, trx, { projectId, databaseId: row.id }, variables)
}

export const openAccount = (deps: Pick<Deps, 'secretBox'>, row: DatabaseRow): DatabaseAccount => ({
  database: row.name,
  username: row.username,
  password: deps.secretBox.open(row.encryptedPassword)
})

function linkOf(before: DatabaseRow, input: UpdateDatabase): Pick<DatabaseRow, 'projectId' | 'autoInjectEnv'> {
  const projectId = input.projectId === undefined ? before.projectId : input.projectId
  if (projectId !== null) return { projectId, autoInjectEnv: input.autoInjectEnv ?? before.autoInjectEnv }
  if (input.autoInjectEnv !== true) return { projectId, autoInjectEnv: false }
  const message = words.PROJECT_FOR_VARIABLES
  throw new AppError('VALIDATION_ERROR', `autoInjectEnv ${message}`, { details: [{ path: 'autoInjectEnv', message }] })
}
